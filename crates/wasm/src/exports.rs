//! The functions of the module. Texts and bytes are passed in memory that [`allocate`] gave.

#![allow(unsafe_code)]

use std::cell::RefCell;

use super::files::Files;
use super::games::Games;

thread_local! {
    static FILES: RefCell<Files> = RefCell::default();
    static GAMES: Games = Games::default();
}

/// Memory of so many bytes for what is to be passed. The function that it is passed to takes it.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    pass(vec![0; length])
}

/// Gives memory back.
///
/// # Safety
/// `pointer` and `length` are those of memory that [`allocate`] gave and nothing has taken, or of an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { take(pointer, length) });
}

/// Adds a file of so many bytes, which come later; its number.
#[unsafe(no_mangle)]
pub extern "C" fn open(length: u64) -> u32 {
    FILES.with_borrow_mut(|files| files.open(length))
}

/// Hands in bytes of a file from an offset on.
///
/// # Safety
/// `pointer` and `length` are those of memory that [`allocate`] gave and nothing has taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give(file: u32, offset: u64, pointer: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    let bytes = unsafe { take(pointer, length) };
    FILES.with_borrow(|files| files.give(file, offset, bytes));
}

/// Forgets a file.
#[unsafe(no_mangle)]
pub extern "C" fn close(file: u32) {
    FILES.with_borrow_mut(|files| files.close(file));
}

/// Answers a question: four bytes with the length of the rest, little endian, then JSON. All of it is for [`release`].
///
/// # Safety
/// `pointer` and `length` are those of memory that [`allocate`] gave and nothing has taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(pointer: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let question = unsafe { take(pointer, length) };
    let question = String::from_utf8_lossy(&question);
    let answer = FILES.with_borrow(|files| GAMES.with(|games| super::answer::answer(files, games, &question)));
    let length = (answer.len() as u32).to_le_bytes();
    pass([&length, answer.as_bytes()].concat())
}

/// Memory with these bytes, which nothing owns until it is taken.
fn pass(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// The bytes of memory that was passed.
///
/// # Safety
/// `pointer` and `length` are those of a boxed slice that nothing else owns.
unsafe fn take(pointer: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: as the caller promises.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) }.into_vec()
}
