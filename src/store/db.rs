//! The one door to SPI: statements are prepared once for each backend and kept.
//!
//! pgrx's own client plans a query text anew at every call and checks every column's type; on a call
//! that takes 100 µs in all, that is most of the time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr::NonNull;

use pgrx::datum::DatumWithOid;
use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::spi::Spi;

use crate::error::{self, Result};

thread_local! {
    static PLANS: RefCell<HashMap<String, Vec<Kept>>> = RefCell::default();
}

/// A kept plan and the argument types that it was made for.
struct Kept {
    types: Vec<pg_sys::Oid>,
    plan: Plan,
}

type Plan = NonNull<pg_sys::_SPI_plan>;

/// An open SPI connection. `read_only` statements run on the caller's snapshot, as a STABLE function
/// must; the others see what was committed up to now.
pub struct Db<'conn> {
    pub(crate) read_only: bool,
    connection: PhantomData<&'conn ()>,
}

impl Db<'_> {
    pub fn read<T>(work: impl FnOnce(&Db) -> Result<T>) -> Result<T> {
        Self::connect(true, work)
    }

    pub fn write<T>(work: impl FnOnce(&Db) -> Result<T>) -> Result<T> {
        Self::connect(false, work)
    }

    fn connect<T>(read_only: bool, work: impl FnOnce(&Db) -> Result<T>) -> Result<T> {
        Spi::connect(|_client| {
            work(&Db {
                read_only,
                connection: PhantomData,
            })
        })
    }

    /// Reads what is committed by now, whatever the caller's snapshot shows. A parallel worker has only the caller's.
    pub fn latest<T>(&self, work: impl FnOnce(&Db) -> Result<T>) -> Result<T> {
        let now = Db {
            read_only: true,
            connection: PhantomData,
        };
        // SAFETY: the snapshot is popped again; an error that unwinds pops it with the transaction.
        unsafe {
            if pg_sys::IsInParallelMode() {
                return work(&now);
            }
            pg_sys::PushActiveSnapshot(pg_sys::GetLatestSnapshot());
            let outcome = work(&now);
            pg_sys::PopActiveSnapshot();
            outcome
        }
    }

    /// Runs a statement and gives its rows.
    pub fn rows<'db>(&'db self, sql: &str, args: &[DatumWithOid]) -> Result<Rows<'db>> {
        let plan = plan_for(sql, args)?;
        let (mut values, nulls): (Vec<pg_sys::Datum>, Vec<std::ffi::c_char>) = args
            .iter()
            .map(|arg| match arg.datum() {
                Some(datum) => (datum.sans_lifetime(), b' ' as std::ffi::c_char),
                None => (pg_sys::Datum::from(0usize), b'n' as std::ffi::c_char),
            })
            .unzip();
        // SAFETY: SPI is connected for as long as `self` lives, the plan was prepared with these
        // argument types, and the arrays outlive the call.
        let status = unsafe {
            pg_sys::SPI_tuptable = std::ptr::null_mut();
            pg_sys::SPI_execute_plan(plan.as_ptr(), values.as_mut_ptr(), nulls.as_ptr(), self.read_only, 0)
        };
        if status < 0 {
            return Err(error::internal(format!("SPI_execute_plan returned {status}")));
        }
        // SAFETY: SPI has just set both; the table lives until SPI_finish.
        let (table, count) = unsafe { (pg_sys::SPI_tuptable, pg_sys::SPI_processed as usize) };
        Ok(Rows {
            table,
            count,
            next: 0,
            db: PhantomData,
        })
    }

    /// Runs a statement that gives at most one row.
    pub fn row<'db>(&'db self, sql: &str, args: &[DatumWithOid]) -> Result<Option<Row<'db>>> {
        Ok(self.rows(sql, args)?.next())
    }

    /// Runs a statement for its effect and gives the number of rows that it touched.
    pub fn run(&self, sql: &str, args: &[DatumWithOid]) -> Result<usize> {
        Ok(self.rows(sql, args)?.count)
    }
}

pub(super) fn plan_for(sql: &str, args: &[DatumWithOid]) -> Result<Plan> {
    let types = || args.iter().map(DatumWithOid::oid);
    let known = PLANS.with_borrow(|plans| {
        let kept = plans
            .get(sql)?
            .iter()
            .find(|kept| types().eq(kept.types.iter().copied()))?;
        Some(kept.plan)
    });
    if let Some(plan) = known {
        return Ok(plan);
    }
    let text = CString::new(sql).map_err(|_| error::internal("a statement holds a NUL"))?;
    let mut types: Vec<pg_sys::Oid> = types().collect();
    // SAFETY: SPI is connected; the text and the types outlive the call; SPI_keepplan moves the plan
    // out of the transaction's memory.
    let plan = unsafe {
        let plan = pg_sys::SPI_prepare(text.as_ptr(), types.len() as i32, types.as_mut_ptr());
        let plan = NonNull::new(plan).ok_or_else(|| error::internal("SPI_prepare failed"))?;
        pg_sys::SPI_keepplan(plan.as_ptr());
        plan
    };
    PLANS.with_borrow_mut(|plans| plans.entry(sql.to_string()).or_default().push(Kept { types, plan }));
    Ok(plan)
}

pub struct Rows<'db> {
    table: *mut pg_sys::SPITupleTable,
    pub count: usize,
    next: usize,
    db: PhantomData<&'db ()>,
}

impl<'db> Iterator for Rows<'db> {
    type Item = Row<'db>;

    fn next(&mut self) -> Option<Row<'db>> {
        if self.table.is_null() || self.next >= self.count {
            return None;
        }
        // SAFETY: `next` is below the number of tuples of this table.
        let row = unsafe {
            Row {
                tuple: *(*self.table).vals.add(self.next),
                desc: (*self.table).tupdesc,
                db: PhantomData,
            }
        };
        self.next += 1;
        Some(row)
    }
}

pub struct Row<'db> {
    tuple: pg_sys::HeapTuple,
    desc: pg_sys::TupleDesc,
    db: PhantomData<&'db ()>,
}

impl Row<'_> {
    /// The value of a column, counted from 1. The statement must give the type that the caller asks
    /// for: statements and readers stand side by side in `store`.
    pub fn get<T: FromDatum>(&self, column: i32) -> Option<T> {
        let mut is_null = false;
        // SAFETY: the tuple and its descriptor live until SPI_finish, `column` exists by contract.
        unsafe {
            let datum = pg_sys::SPI_getbinval(self.tuple, self.desc, column, &mut is_null);
            T::from_polymorphic_datum(datum, is_null, pg_sys::InvalidOid)
        }
    }

    /// The value of a column that cannot be null.
    pub fn want<T: FromDatum>(&self, column: i32) -> Result<T> {
        self.get(column)
            .ok_or_else(|| error::internal(format!("column {column} is null")))
    }
}
