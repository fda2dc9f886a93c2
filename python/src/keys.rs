//! Arrays of keys from Python.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use yomikiri_table::memory;

use crate::errors;

/// Keys from an array, or from anything that NumPy converts to one: non-negative integers in one dimension. The keys
/// are copied, so other threads may change the array later.
pub struct Keys(pub Vec<u64>);

impl<'py> FromPyObject<'_, 'py> for Keys {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Keys> {
        if let Ok(keys) = given.cast::<PyArray1<u64>>() {
            return copied(keys);
        }
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            let number = |key: Bound<'py, PyAny>| key.extract::<u64>().map_err(|error| not_a_key(&key, error));
            return Ok(Keys(given.try_iter()?.map(|key| number(key?)).collect::<PyResult<_>>()?));
        }
        let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
        let array = array.cast::<PyUntypedArray>()?;
        if array.ndim() != 1 {
            let problem = format!("the array has {} dimensions instead of one", array.ndim());
            return Err(errors::argument("keys", &problem));
        }
        match array.dtype().kind() {
            _ if array.len() == 0 => return Ok(Keys(Vec::new())),
            b'u' => {}
            b'i' if array.call_method0("min")?.ge(0)? => {}
            b'i' => return Err(errors::argument("keys", "a key is negative")),
            _ => {
                let dtype = array.dtype();
                return Err(PyTypeError::new_err(format!("keys: the array has dtype {dtype} instead of integers")));
            }
        }
        let options = PyDict::new(given.py());
        options.set_item("copy", true)?;
        let wide = array.call_method("astype", ("uint64",), Some(&options))?;
        copied(wide.cast::<PyArray1<u64>>()?.as_borrowed())
    }
}

/// Copies an array. Returns a `MemoryError` if the system refuses the memory.
fn copied(array: Borrowed<'_, '_, PyArray1<u64>>) -> PyResult<Keys> {
    let array = array.try_readonly()?;
    let mut keys = memory::vec_with_capacity(array.len()).map_err(errors::solve)?;
    keys.extend(array.as_array().iter());
    Ok(Keys(keys))
}

/// Converts `error`, which occurred when `given` was converted to a key. If `given` is a number out of range, the
/// result says so. All other errors are returned unchanged.
pub fn not_a_key(given: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyOverflowError>(given.py()) {
        true => errors::argument(&format!("key {given}"), &format!("is not a number from 0 to {}", u64::MAX)),
        false => error,
    }
}
