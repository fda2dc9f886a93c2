//! The functions that the WebAssembly module exports. Texts and bytes are passed in memory that [`allocate`] returned.

#![allow(unsafe_code)]

use std::cell::RefCell;

use super::files::Files;
use super::games::Games;

thread_local! {
    static FILES: RefCell<Files> = RefCell::default();
    static GAMES: Games = Games::default();
}

/// Allocates memory for bytes that are then passed to one of the other functions. That function takes ownership of the
/// memory.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    pass(vec![0; length])
}

/// Frees memory from [`allocate`], or the memory of an answer.
///
/// # Safety
/// `pointer` and `length` must be those of memory that [`allocate`] returned and that no function has taken, or those
/// of an answer. The length of an answer includes its first four bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { take(pointer, length) });
}

/// Adds a file of `length` bytes, which are handed in later. Returns the number that identifies it.
#[unsafe(no_mangle)]
pub extern "C" fn open(length: u64) -> u32 {
    FILES.with_borrow_mut(|files| files.open(length))
}

/// Hands in bytes of a file, which begin at `offset`.
///
/// # Safety
/// `pointer` and `length` must be those of memory that [`allocate`] returned and that no function has taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give(file: u32, offset: u64, pointer: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    let bytes = unsafe { take(pointer, length) };
    FILES.with_borrow(|files| files.give(file, offset, bytes));
}

/// Closes a file and discards its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn close(file: u32) {
    FILES.with_borrow_mut(|files| files.close(file));
}

/// Answers a question, which is JSON. Returns the length of the answer as four bytes, little endian, then the answer as
/// JSON. The caller must free all of it with [`release`].
///
/// # Safety
/// `pointer` and `length` must be those of memory that [`allocate`] returned and that no function has taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(pointer: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let question = unsafe { take(pointer, length) };
    let question = String::from_utf8_lossy(&question);
    let answer = FILES.with_borrow(|files| GAMES.with(|games| super::answer::answer(files, games, &question)));
    let length = (answer.len() as u32).to_le_bytes();
    pass([&length, answer.as_bytes()].concat())
}

/// Returns memory with these bytes. The memory leaks unless [`take`] takes it back.
fn pass(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Takes back memory that [`pass`] returned, and returns its bytes.
///
/// # Safety
/// `pointer` and `length` must be those of a boxed slice that nothing else owns.
unsafe fn take(pointer: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: as the caller promises.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) }.into_vec()
}
