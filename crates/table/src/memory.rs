//! Allocates large pieces of memory. If the system refuses one, the caller gets an error and the program goes on.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;

use zerocopy::{FromBytes, FromZeros};

use crate::refused_memory;

/// The error for refused memory. The numbers are sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusedMemory {
    /// The machine does not have the memory that a command requests at its start.
    #[error("this machine does not have {} of memory", in_units(*.0 as f64))]
    Machine(u64),
    /// The system refused memory during a run.
    #[error("the system refused {0} bytes of memory")]
    Run(u64),
}

/// Prefetches the cache line of a value that will be read soon. Does nothing on machines without such an instruction.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction reads nothing and cannot fault, whatever the address; this one is a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Parses a size such as 8G, 500M or 64K, or a plain number of bytes. Returns the number of bytes, which is at least 1.
/// Units are powers of 1024. The error says what to write instead.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || "write a number of bytes, or a number with K, M, G or T after it".to_string();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(wrong)
}

/// Formats a number of bytes in a decimal unit: "999 bytes", "288.2 MB". The largest unit is ZB.
pub fn in_units(bytes: f64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"];
    let mut rest = bytes;
    let mut unit = 0;
    while rest >= 1000.0 && unit + 1 < units.len() {
        rest /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{rest:.0} {}", units[0]) } else { format!("{rest:.1} {}", units[unit]) }
}

/// Returns `asked`, or an error if the system would refuse that many bytes now. If `asked` is `None`, returns `usual`,
/// halved until the system would grant that number of bytes; 0 if it grants none.
pub fn requested_or(asked: Option<u64>, usual: u64) -> Result<u64, RefusedMemory> {
    let Some(bytes) = asked else { return Ok(at_most(usual)) };
    check(bytes).map(|()| bytes)
}

/// Returns [`RefusedMemory::Machine`] if the system would refuse `bytes` bytes now.
pub fn check(bytes: u64) -> Result<(), RefusedMemory> {
    let count = usize::try_from(bytes).map_err(|_| RefusedMemory::Machine(bytes))?;
    Zeros::<u8>::new(count).map(drop).map_err(|_| RefusedMemory::Machine(bytes))
}

/// Returns `bytes`, halved until the system would grant that number of bytes; 0 if it grants none.
pub fn at_most(bytes: u64) -> u64 {
    halves(bytes).find(|&bytes| check(bytes).is_ok()).unwrap_or(0)
}

/// Returns an empty vector with room for `count` items, or [`RefusedMemory::Run`] if the system refuses the memory.
/// Checks large requests beforehand, because a program's allocator may end the process instead of returning null.
pub fn vec_with_capacity<T>(count: usize) -> Result<Vec<T>, RefusedMemory> {
    /// The size in bytes of the smallest request that is checked. Smaller requests are not worth a system call.
    const ASKED: u64 = 1 << 16;
    let bytes = bytes_of::<T>(count);
    if bytes >= ASKED {
        check(bytes).map_err(|_| RefusedMemory::Run(bytes))?;
    }
    Ok(Vec::with_capacity(count))
}

/// Returns the size in bytes of `count` items, or of one item if `count` is 0.
fn bytes_of<T>(count: usize) -> u64 {
    (count.max(1) as u64).saturating_mul(size_of::<T>() as u64)
}

fn halves(number: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(number), |&number| (number > 1).then_some(number / 2))
}

/// Allocations of at least this many bytes use huge pages. Smaller allocations, such as small hash tables, are often
/// filled only in part, and zeroing whole huge pages for that part costs more than it saves.
#[cfg(feature = "write")]
const HUGE: usize = 32 << 20;

/// Like [`HUGE`], for memory that will be filled completely.
#[cfg(feature = "write")]
const HUGE_FILLED: usize = 4 << 20;

/// Zeroed memory. A page takes no physical memory until it is touched. With the feature `write`, the memory begins at a
/// page boundary, so that the buckets of a hash table can be cache lines, and large allocations use huge pages if the
/// system has them.
pub struct Zeros<T> {
    #[cfg(feature = "write")]
    map: memmap2::MmapRaw,
    #[cfg(feature = "write")]
    of: std::marker::PhantomData<T>,
    #[cfg(not(feature = "write"))]
    items: Vec<T>,
}

#[cfg(feature = "write")]
impl<T: FromZeros> Zeros<T> {
    /// Allocates `count` zeros, at least one. Returns [`RefusedMemory::Run`] if the system refuses the memory.
    pub fn new(count: usize) -> Result<Zeros<T>, RefusedMemory> {
        Zeros::in_pages(count, HUGE)
    }

    /// Like [`Zeros::new`], for memory that is filled completely and read in random order.
    pub fn filled(count: usize) -> Result<Zeros<T>, RefusedMemory> {
        Zeros::in_pages(count, HUGE_FILLED)
    }

    /// Allocates `count` zeros, at least one. Uses huge pages if the zeros take at least `huge` bytes.
    fn in_pages(count: usize, huge: usize) -> Result<Zeros<T>, RefusedMemory> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 4096) };
        let bytes = bytes_of::<T>(count);
        let map = usize::try_from(bytes).ok().and_then(|bytes| memmap2::MmapMut::map_anon(bytes).ok());
        let map = map.ok_or(RefusedMemory::Run(bytes))?;
        #[cfg(target_os = "linux")]
        if bytes >= huge as u64 {
            // A system without huge pages refuses; small pages will do.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = huge;
        Ok(Zeros { map: map.into(), of: std::marker::PhantomData })
    }

    fn count(&self) -> usize {
        self.map.len() / size_of::<T>()
    }
}

#[cfg(feature = "write")]
#[allow(unsafe_code)]
impl<T: FromZeros> Deref for Zeros<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is private memory of this process, as long as its length says, and begins at a page. The
        // system has zeroed it, and zeros are a `T` everywhere. It lives as long as `self`. Only `deref_mut` lends it
        // for writing, unless `T` allows writes through shared references, as atomics do.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count()) }
    }
}

#[cfg(feature = "write")]
#[allow(unsafe_code)]
impl<T: FromZeros> DerefMut for Zeros<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.count()) }
    }
}

#[cfg(not(feature = "write"))]
impl<T: FromZeros> Zeros<T> {
    /// Allocates `count` zeros, at least one. Returns [`RefusedMemory::Run`] if the system refuses the memory.
    pub fn new(count: usize) -> Result<Zeros<T>, RefusedMemory> {
        let items = T::new_vec_zeroed(count.max(1)).map_err(|_| RefusedMemory::Run(bytes_of::<T>(count)))?;
        Ok(Zeros { items })
    }

    /// Like [`Zeros::new`], for memory that is filled completely and read in random order.
    pub fn filled(count: usize) -> Result<Zeros<T>, RefusedMemory> {
        Zeros::new(count)
    }
}

#[cfg(not(feature = "write"))]
impl<T> Deref for Zeros<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

#[cfg(not(feature = "write"))]
impl<T> DerefMut for Zeros<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl Zeros<u8> {
    /// Converts the bytes to atomics, which many threads can change.
    pub fn into_shared(self) -> Zeros<AtomicU8> {
        #[cfg(feature = "write")]
        return Zeros { map: self.map, of: std::marker::PhantomData };
        #[cfg(not(feature = "write"))]
        Zeros { items: self.items.into_iter().map(AtomicU8::new).collect() }
    }

    /// Borrows the bytes as atomics, which many threads can change.
    pub fn shared(&mut self) -> &[AtomicU8] {
        <[AtomicU8]>::mut_from_bytes(self).expect("bytes are aligned everywhere")
    }
}

impl<T: FromZeros> Zeros<T> {
    /// Allocates `times * size` zeros. While the system refuses them, halves `times`. Ends the process if the system
    /// refuses even `size` zeros.
    pub fn at_most(times: usize, size: usize) -> Zeros<T> {
        let made = |times: u64| Zeros::new((times as usize).checked_mul(size)?).ok();
        halves(times.max(1) as u64).find_map(made).unwrap_or_else(|| refused_memory::end::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More bytes than any address space has.
    const ABSURD: u64 = 1 << 62;

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse("8G"), Ok(8 << 30));
        assert_eq!(parse("500m"), Ok(500 << 20));
        assert_eq!(parse("4096"), Ok(4096));
        for bad in ["", "G", "8X", "0", "-1G", "99999999999T", "1.5G", "é", "8é"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(check(1 << 20).is_ok() && check(0).is_ok());
        assert_eq!(check(ABSURD).unwrap_err().to_string(), "this machine does not have 4.6 EB of memory");
        let error = Zeros::<u64>::new(1 << 58).err().unwrap().to_string();
        assert_eq!(error, "the system refused 2305843009213693952 bytes of memory");
        assert!(vec_with_capacity::<u64>(1 << 10).unwrap().capacity() >= 1 << 10);
        assert_eq!(vec_with_capacity::<u64>(1 << 58).unwrap_err().to_string(), error);
        assert!(check(u64::MAX).is_err() && Zeros::<u64>::new(ABSURD as usize).is_err());
    }

    #[test]
    fn less_is_taken_where_there_is_less() {
        assert_eq!(at_most(1 << 20), 1 << 20);
        assert!((1 << 20..ABSURD).contains(&at_most(ABSURD)));
        let words = Zeros::<u64>::at_most(1 << 57, 2);
        assert!(words.len() >= 1 << 10 && words.len().is_power_of_two());
        assert_eq!([(4, 3), (0, 5)].map(|(times, size)| Zeros::<u64>::at_most(times, size).len()), [12, 5]);
    }

    #[test]
    fn all_of_it_is_zero_and_can_be_written() {
        for count in [1, 1000, HUGE / 8 + 1] {
            let mut zeros = Zeros::<u64>::new(count).unwrap();
            assert!(zeros.len() == count && zeros.iter().all(|&word| word == 0));
            (0..count).step_by(500).for_each(|at| zeros[at] = at as u64);
            assert!((0..count).all(|at| zeros[at] == if at % 500 == 0 { at as u64 } else { 0 }));
        }
    }
}
