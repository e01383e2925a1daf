//! jsonb that is passed on as it came. pgrx's `JsonB` goes through serde, which rounds numbers to f64 and
//! panics at 1e400 or at 128 levels of nesting, all of which Postgres stores.

mod build;

use std::ffi::{CStr, CString};

use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::nullable::Nullable;
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::prelude::*;
use pgrx::varlena::varlena_to_byte_slice;
use pgrx::{JsonB, direct_function_call, pg_sys};

use crate::error;

/// The bytes of a jsonb behind its length.
#[derive(Clone)]
pub struct RawJsonb(Vec<u8>);

impl RawJsonb {
    pub fn of(value: &impl serde::Serialize) -> error::Result<RawJsonb> {
        build::bytes(value)
            .map(RawJsonb)
            .map_err(|cause| error::internal(cause.to_string()))
    }

    pub fn is_object(&self) -> bool {
        self.0
            .first_chunk()
            .is_some_and(|header| u32::from_ne_bytes(*header) & pg_sys::JB_FOBJECT != 0)
    }

    /// The value for those who look into it; numbers are rounded.
    pub fn parse(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_str(&self.text())
    }

    /// The value as JSON, to the last digit.
    pub fn text(&self) -> String {
        // SAFETY: these are the bytes of a jsonb; jsonb_out gives a C string in the server's encoding.
        let text = unsafe { direct_function_call::<&CStr>(pg_sys::jsonb_out, &[self.clone().into_datum()]) };
        text.map_or_else(|| "null".into(), |text| text.to_string_lossy().into_owned())
    }

    /// The jsonb of a JSON text, to the last digit.
    pub fn read(text: &str) -> error::Result<RawJsonb> {
        let text = CString::new(text).map_err(|_| error::internal("JSON holds a NUL"))?;
        // SAFETY: jsonb_in takes a C string and gives a jsonb.
        unsafe { direct_function_call(pg_sys::jsonb_in, &[text.as_c_str().into_datum()]) }
            .ok_or_else(|| error::internal("jsonb_in gave nothing"))
    }
}

impl FromDatum for RawJsonb {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<RawJsonb> {
        // SAFETY: the caller's datum is a jsonb.
        (!is_null).then(|| unsafe {
            let value = pg_sys::pg_detoast_datum_packed(datum.cast_mut_ptr());
            RawJsonb(varlena_to_byte_slice(value).to_vec())
        })
    }
}

impl IntoDatum for RawJsonb {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        self.0.into_datum()
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::JSONBOID
    }

    fn is_compatible_with(other: pg_sys::Oid) -> bool {
        other == pg_sys::JSONBOID
    }
}

// SAFETY: an argument of this type is declared as jsonb (below).
unsafe impl<'fcx> ArgAbi<'fcx> for RawJsonb {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        let index = arg.index();
        // SAFETY: as the caller promises.
        unsafe { arg.unbox_arg_using_from_datum() }.unwrap_or_else(|| panic!("argument {index} must not be null"))
    }

    unsafe fn unbox_nullable_arg(arg: Arg<'_, 'fcx>) -> Nullable<Self> {
        // SAFETY: as the caller promises.
        unsafe { arg.unbox_arg_using_from_datum() }.into()
    }
}

// SAFETY: the datum is a jsonb in memory of the caller's context.
unsafe impl BoxRet for RawJsonb {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        match self.into_datum() {
            // SAFETY: the function is declared to return jsonb.
            Some(datum) => unsafe { fcinfo.return_raw_datum(datum) },
            None => fcinfo.return_null(),
        }
    }
}

// SAFETY: the same SQL type as pgrx's own JsonB.
unsafe impl SqlTranslatable for RawJsonb {
    const TYPE_IDENT: &'static str = JsonB::TYPE_IDENT;
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal("jsonb"));
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::literal("jsonb")));
}
