//! Rows that are looked at once and not kept: the executor hands each one over where it lies in its
//! page, while `Db::rows` would first copy all of them (9 MB for 10,000 candidates of a recall).

use pgrx::datum::DatumWithOid;
use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::varlena::varlena_to_byte_slice;

use super::db::{Db, plan_for};
use crate::error::{self, Result};

/// A row that lives only during the call it is handed to.
pub struct Passing<'a> {
    values: &'a [pg_sys::Datum],
    nulls: &'a [bool],
}

impl Passing<'_> {
    /// The value of a column, counted from 1.
    pub fn get<T: FromDatum>(&self, column: usize) -> Option<T> {
        // SAFETY: the statement gives the type that the caller asks for, as with `Row::get`.
        unsafe { T::from_polymorphic_datum(self.values[column - 1], self.nulls[column - 1], pg_sys::InvalidOid) }
    }

    pub fn want<T: FromDatum>(&self, column: usize) -> Result<T> {
        self.get(column)
            .ok_or_else(|| error::internal(format!("column {column} is null")))
    }

    /// A vector's numbers, read from where they lie into `out`.
    pub fn floats(&self, column: usize, out: &mut Vec<f32>) {
        out.clear();
        if !self.nulls[column - 1] {
            // SAFETY: the statement gives a vector in this column.
            unsafe { crate::vector::read_into(self.values[column - 1], out) };
        }
    }

    /// The elements of an integer[] without nulls, read from where they lie into `out`.
    pub fn integers(&self, column: usize, out: &mut Vec<i32>) {
        out.clear();
        if self.nulls[column - 1] {
            return;
        }
        // An array without nulls: dimensions, data offset (0), element type, then length and lower bound.
        const HEADER: usize = 20;
        // SAFETY: the column is a varlena. A copy is made only when it is compressed or stored apart, and is
        // freed at once: those of all rows of a pass would not fit into memory.
        unsafe {
            let stored = self.values[column - 1].cast_mut_ptr();
            let value = pg_sys::pg_detoast_datum_packed(stored);
            if let Some(elements) = varlena_to_byte_slice(value).get(HEADER..) {
                out.extend(elements.as_chunks().0.iter().map(|chunk| i32::from_ne_bytes(*chunk)));
            }
            if value != stored {
                pg_sys::pfree(value.cast());
            }
        }
    }
}

type Visitor<'a> = &'a mut dyn FnMut(&Passing) -> Result<()>;

/// What the executor knows as a DestReceiver: its fields first, our visitor behind them.
#[repr(C)]
struct Receiver<'a> {
    dest: pg_sys::DestReceiver,
    visit: Visitor<'a>,
    failure: Option<pg_sys::panic::ErrorReport>,
}

impl Db<'_> {
    /// Runs a SELECT and shows each row to `visit`, which must not run statements itself.
    pub fn stream(
        &self,
        sql: &str,
        args: &[DatumWithOid],
        visit: &mut dyn FnMut(&Passing) -> Result<()>,
    ) -> Result<()> {
        let plan = plan_for(sql, args)?;
        let mut receiver = Receiver {
            dest: pg_sys::DestReceiver {
                receiveSlot: Some(receive),
                rStartup: Some(startup),
                rShutdown: Some(no_more),
                rDestroy: Some(no_more),
                mydest: pg_sys::CommandDest::DestTuplestore,
            },
            visit,
            failure: None,
        };
        // SAFETY: the parameter list and the receiver outlive the call; the plan has these argument types.
        let status = unsafe {
            let mut options: pg_sys::SPIExecuteOptions = std::mem::zeroed();
            options.params = parameters(args);
            options.read_only = self.read_only;
            options.dest = (&raw mut receiver).cast();
            pg_sys::SPI_execute_plan_extended(plan.as_ptr(), &options)
        };
        match receiver.failure {
            Some(failure) => Err(failure),
            None if status < 0 => Err(error::internal(format!("SPI_execute_plan_extended returned {status}"))),
            None => Ok(()),
        }
    }
}

unsafe fn parameters(args: &[DatumWithOid]) -> pg_sys::ParamListInfo {
    // SAFETY: makeParamList gives room for as many parameters as asked for.
    unsafe {
        let list = pg_sys::makeParamList(args.len() as i32);
        let slots = (*list).params.as_mut_slice(args.len());
        for (slot, arg) in slots.iter_mut().zip(args) {
            slot.isnull = arg.datum().is_none();
            slot.value = arg.datum().map_or(pg_sys::Datum::from(0usize), |d| d.sans_lifetime());
            slot.pflags = pg_sys::PARAM_FLAG_CONST as u16;
            slot.ptype = arg.oid();
        }
        list
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn receive(slot: *mut pg_sys::TupleTableSlot, dest: *mut pg_sys::DestReceiver) -> bool {
    // SAFETY: the executor calls this with the receiver that `stream` made and a filled slot.
    unsafe {
        let receiver = &mut *dest.cast::<Receiver>();
        let columns = (*(*slot).tts_tupleDescriptor).natts;
        if i32::from((*slot).tts_nvalid) < columns {
            pg_sys::slot_getsomeattrs_int(slot, columns);
        }
        let row = Passing {
            values: std::slice::from_raw_parts((*slot).tts_values, columns as usize),
            nulls: std::slice::from_raw_parts((*slot).tts_isnull, columns as usize),
        };
        match (receiver.visit)(&row) {
            Ok(()) => true,
            Err(failure) => {
                receiver.failure = Some(failure);
                false
            }
        }
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn startup(_dest: *mut pg_sys::DestReceiver, _operation: i32, _desc: pg_sys::TupleDesc) {}

#[pg_guard]
unsafe extern "C-unwind" fn no_more(_dest: *mut pg_sys::DestReceiver) {}
