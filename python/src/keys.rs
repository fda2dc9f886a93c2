//! Arrays of keys from Python.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::errors;

/// Keys from an array, or anything that NumPy makes one of: integers from 0 on in one dimension. They are a copy, which
/// stays as it is whatever other threads do to the array.
pub struct Keys(pub Vec<u64>);

impl<'py> FromPyObject<'_, 'py> for Keys {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Keys> {
        if let Ok(keys) = given.cast::<PyArray1<u64>>() {
            return Ok(Keys(keys.try_readonly()?.as_array().to_vec()));
        }
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            let number = |key: Bound<'py, PyAny>| key.extract::<u64>().map_err(|error| not_a_key(&key, error));
            return Ok(Keys(given.try_iter()?.map(|key| number(key?)).collect::<PyResult<_>>()?));
        }
        let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
        let array = array.cast::<PyUntypedArray>()?;
        if array.ndim() != 1 {
            let problem = format!("an array of {} dimensions, not of one", array.ndim());
            return Err(errors::argument("keys", &problem));
        }
        match array.dtype().kind() {
            _ if array.len() == 0 => return Ok(Keys(Vec::new())),
            b'u' => {}
            b'i' if array.call_method0("min")?.ge(0)? => {}
            b'i' => return Err(errors::argument("keys", "a number is below 0")),
            _ => {
                let dtype = array.dtype();
                return Err(PyTypeError::new_err(format!("keys: an array of {dtype}, not of integers")));
            }
        }
        let copied = PyDict::new(given.py());
        copied.set_item("copy", true)?;
        let wide = array.call_method("astype", ("uint64",), Some(&copied))?;
        Ok(Keys(wide.cast::<PyArray1<u64>>()?.try_readonly()?.as_array().to_vec()))
    }
}

/// What is wrong with a number that is no key; other things that are none have an error of their own.
pub fn not_a_key(given: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyOverflowError>(given.py()) {
        true => errors::argument(&format!("key {given}"), &format!("is no number from 0 to {}", u64::MAX)),
        false => error,
    }
}
