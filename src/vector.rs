//! pgvector's type on our side: a varlena of two 16-bit numbers (dimensions, unused) and floats.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::nullable::Nullable;
use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::varlena::varlena_to_byte_slice;

use memory_core::vector::{Unfit, check};

use crate::error;

/// pgvector stores up to this many dimensions.
const MAX_DIMENSIONS: usize = 16_000;
const HEADER: usize = 4;

#[derive(Clone, Debug)]
pub struct Embedding(pub Vec<f32>);

impl_sql_translatable!(Embedding, "vector");

impl FromDatum for Embedding {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _type: pg_sys::Oid) -> Option<Embedding> {
        if is_null {
            return None;
        }
        let mut values = Vec::new();
        // SAFETY: the caller's datum is a vector.
        unsafe { read_into(datum, &mut values) };
        Some(Embedding(values))
    }
}

unsafe impl<'fcx> ArgAbi<'fcx> for Embedding {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: the function is declared with a vector in this place.
        unsafe { arg.unbox_arg_using_from_datum() }.unwrap_or(Embedding(Vec::new()))
    }

    unsafe fn unbox_nullable_arg(arg: Arg<'_, 'fcx>) -> Nullable<Self> {
        // SAFETY: as above.
        unsafe { arg.unbox_arg_using_from_datum() }.into()
    }
}

/// Copies a vector's floats out of its datum.
///
/// # Safety
/// The datum is a vector.
pub unsafe fn read_into(datum: pg_sys::Datum, out: &mut Vec<f32>) {
    // SAFETY: a varlena; detoasting copies it only when it is not inline.
    let bytes = unsafe { varlena_to_byte_slice(pg_sys::pg_detoast_datum_packed(datum.cast_mut_ptr())) };
    out.clear();
    if let Some(floats) = bytes.get(HEADER..) {
        out.extend(floats.as_chunks().0.iter().map(|chunk| f32::from_ne_bytes(*chunk)));
    }
}

impl Embedding {
    /// As an argument for a statement: a vector datum with the type that memory.search_entries uses.
    pub fn argument<'a>(&self) -> error::Result<pgrx::datum::DatumWithOid<'a>> {
        let size = size_of::<i32>() + HEADER + self.0.len() * size_of::<f32>();
        // SAFETY: palloc gives `size` bytes; header, dimensions and floats fill them exactly.
        unsafe {
            let varlena: *mut pg_sys::varlena = pg_sys::palloc0(size).cast();
            pgrx::set_varsize_4b(varlena, size as i32);
            let body = varlena.cast::<u8>().add(size_of::<i32>());
            body.cast::<i16>().write(self.0.len() as i16);
            std::ptr::copy_nonoverlapping(
                self.0.as_ptr().cast::<u8>(),
                body.add(HEADER),
                self.0.len() * size_of::<f32>(),
            );
            Ok(pgrx::datum::DatumWithOid::new(
                Raw(pg_sys::Datum::from(varlena)),
                type_oid()?,
            ))
        }
    }

    /// No embedding, as an argument.
    pub fn no_argument<'a>() -> error::Result<pgrx::datum::DatumWithOid<'a>> {
        Ok(pgrx::datum::DatumWithOid::null_oid(type_oid()?))
    }

    /// Refuses what no similarity is defined for.
    pub fn fit(self, name: &str) -> error::Result<Embedding> {
        let problem = match check(&self.0) {
            Ok(()) if self.0.len() <= MAX_DIMENSIONS => return Ok(self),
            Ok(()) => format!("{name} has {} dimensions", self.0.len()),
            Err(Unfit::Empty) => format!("{name} has no dimensions"),
            Err(Unfit::NotFinite) => format!("{name} holds NaN or infinity"),
            Err(Unfit::Zero) => format!("{name} is the zero vector"),
        };
        Err(error::invalid(
            problem,
            "Pass the vector as the embedding model gave it.",
        ))
    }
}

/// A datum that is one already.
struct Raw(pg_sys::Datum);

impl IntoDatum for Raw {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        Some(self.0)
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::InvalidOid
    }
}

/// The type of memory.search_entries.embedding, looked up every time: the extensions may have been dropped
/// and created again since the last call.
fn type_oid() -> error::Result<pg_sys::Oid> {
    // SAFETY: look-ups in the system caches; missing objects give InvalidOid.
    let oid = unsafe {
        let schema = pg_sys::get_namespace_oid(c"memory".as_ptr(), true);
        let table = pg_sys::get_relname_relid(c"search_entries".as_ptr(), schema);
        let column = pg_sys::get_attnum(table, c"embedding".as_ptr());
        if column == 0 {
            pg_sys::InvalidOid
        } else {
            pg_sys::get_atttype(table, column)
        }
    };
    if oid == pg_sys::InvalidOid {
        return Err(error::internal("memory.search_entries.embedding is missing"));
    }
    Ok(oid)
}

/// The schema that pgvector is installed in, quoted for use in a statement.
pub fn schema() -> error::Result<String> {
    // SAFETY: the type exists, so does its schema.
    unsafe {
        let namespace = type_namespace(type_oid()?)?;
        let name = pg_sys::get_namespace_name(namespace);
        if name.is_null() {
            return Err(error::internal("pgvector's schema is missing"));
        }
        let quoted = pg_sys::quote_identifier(name);
        Ok(std::ffi::CStr::from_ptr(quoted).to_string_lossy().into_owned())
    }
}

fn type_namespace(oid: pg_sys::Oid) -> error::Result<pg_sys::Oid> {
    // SAFETY: a syscache tuple of pg_type is a FormData_pg_type.
    unsafe {
        let tuple = pg_sys::SearchSysCache1(pg_sys::SysCacheIdentifier::TYPEOID as i32, pg_sys::Datum::from(oid));
        if tuple.is_null() {
            return Err(error::internal("pgvector's type is missing"));
        }
        let form = pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_type>();
        let namespace = (*form).typnamespace;
        pg_sys::ReleaseSysCache(tuple);
        Ok(namespace)
    }
}
