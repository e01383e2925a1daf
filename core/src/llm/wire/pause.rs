//! How long a provider that answered 429 is left alone.

use std::time::Duration;

use chrono::DateTime;

/// Whatever the provider says, it rests for a minute.
pub const LEAST_PAUSE: Duration = Duration::from_secs(60);
/// And not for longer than a day: a header is no order to stop for ever.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// The pause that a Retry-After header asks for, in seconds or as a date; `now` in seconds since 1970.
pub fn retry_after(header: Option<&str>, now: i64) -> Duration {
    header
        .and_then(|header| asked(header.trim(), now))
        .unwrap_or(LEAST_PAUSE)
        .clamp(LEAST_PAUSE, LONGEST_PAUSE)
}

fn asked(header: &str, now: i64) -> Option<Duration> {
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = DateTime::parse_from_rfc2822(header).ok()?.timestamp();
    u64::try_from(at - now).ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seconds_dates_and_nonsense() {
        let now = 1_445_412_000;
        let cases = [
            (None, 60),
            (Some("1"), 60),
            (Some("120"), 120),
            (Some("90.5"), 90),
            (Some("-5"), 60),
            (Some("1e30"), 60),
            (Some("9999999"), 86_400),
            (Some("Wed, 21 Oct 2015 07:28:00 GMT"), 480),
            (Some("Wed, 21 Oct 2015 07:00:00 GMT"), 60),
            (Some("soon"), 60),
            (Some("NaN"), 60),
        ];
        for (header, seconds) in cases {
            assert_eq!(retry_after(header, now).as_secs(), seconds, "{header:?}");
        }
    }

    proptest! {
        #[test]
        fn always_within_bounds(header in "\\PC*", now in any::<i32>()) {
            let pause = retry_after(Some(&header), now.into());
            prop_assert!((LEAST_PAUSE..=LONGEST_PAUSE).contains(&pause));
        }
    }
}
