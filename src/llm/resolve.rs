//! Names to addresses, in a thread that no signal reaches.
//!
//! getaddrinfo blocks, so it needs a thread. PostgreSQL's signal handlers expect to run in the only thread there is:
//! one that runs in another would set flags and write to pipes behind its back.

use std::net::{SocketAddr, ToSocketAddrs};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::oneshot;

pub struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let (tell, told) = oneshot::channel();
            quiet_thread(move || {
                let found = (name.as_str(), 0)
                    .to_socket_addrs()
                    .map(Iterator::collect::<Vec<SocketAddr>>);
                // Nobody listens any more when the call has timed out.
                let _ = tell.send(found);
            })?;
            let found = told.await??;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Starts a thread with all signals blocked. A new thread has its maker's mask, so they are blocked here first: later,
/// in the thread, there would be a moment in which one could arrive.
fn quiet_thread(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    // SAFETY: the sets are filled before they are read, and the maker's mask is put back in any case.
    unsafe {
        let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(all.as_mut_ptr());
        if libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) != 0 {
            return Err(std::io::Error::other("signals cannot be blocked"));
        }
        let started = std::thread::Builder::new()
            .name("memory_ext dns".to_string())
            .spawn(work);
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        started.map(drop)
    }
}
