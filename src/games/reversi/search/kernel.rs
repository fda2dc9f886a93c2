//! One search, compiled twice: for any machine, and for those with wide registers.
//!
//! The functions of the search are written once and inlined into the entrances of both kernels. Those of [`Wide`] are
//! compiled for AVX2 and BMI; it can only be had from [`Wide::detected`], which asks the machine.

use super::field::Field;
use super::outlook;
use super::worker::Worker;
use crate::games::reversi::board::Squares;

/// The functions that call each other from position to position.
pub trait Kernel: Copy + Send + Sync + 'static {
    /// [`Worker::last_three`].
    fn last_three(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32;

    /// [`Worker::plain`].
    fn plain(
        self,
        worker: &mut Worker<Self>,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
    ) -> i32;

    /// [`Worker::ordered`].
    fn ordered(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, empty: Squares) -> i32;

    /// [`outlook::outlook`].
    fn outlook(self, field: &Field, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32;
}

/// For any machine.
#[derive(Clone, Copy)]
pub struct Portable;

impl Kernel for Portable {
    fn last_three(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]) -> i32 {
        worker.last_three(own, other, alpha, squares)
    }

    fn plain(
        self,
        worker: &mut Worker<Self>,
        own: Squares,
        other: Squares,
        alpha: i32,
        empty: Squares,
        odd: Squares,
    ) -> i32 {
        worker.plain(own, other, alpha, empty, odd)
    }

    fn ordered(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, empty: Squares) -> i32 {
        worker.ordered(own, other, alpha, empty)
    }

    fn outlook(self, field: &Field, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32 {
        outlook::outlook(self, field, discs, depth, window)
    }
}

#[cfg(target_arch = "x86_64")]
pub use wide::Wide;

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::*;

    /// For machines with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[derive(Clone, Copy)]
    pub struct Wide(());

    impl Wide {
        /// Whether this machine has all of these.
        pub fn detected() -> Option<Wide> {
            let has_all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has_all.then_some(Wide(()))
        }
    }

    /// Compiles the body of an entrance for wide registers and calls it.
    macro_rules! wide {
        (|$($name:ident: $kind:ty),*| $body:block) => {{
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn entrance($($name: $kind),*) -> i32 $body

            // SAFETY: there is a `Wide`, so the machine has these instructions.
            #[allow(unsafe_code)]
            unsafe {
                entrance($($name),*)
            }
        }};
    }

    impl Kernel for Wide {
        #[inline(always)]
        fn last_three(
            self,
            worker: &mut Worker<Self>,
            own: Squares,
            other: Squares,
            alpha: i32,
            squares: [u8; 3],
        ) -> i32 {
            wide!(|worker: &mut Worker<Wide>, own: Squares, other: Squares, alpha: i32, squares: [u8; 3]| {
                worker.last_three(own, other, alpha, squares)
            })
        }

        #[inline(always)]
        fn plain(
            self,
            worker: &mut Worker<Self>,
            own: Squares,
            other: Squares,
            alpha: i32,
            empty: Squares,
            odd: Squares,
        ) -> i32 {
            wide!(|worker: &mut Worker<Wide>,
                   own: Squares,
                   other: Squares,
                   alpha: i32,
                   empty: Squares,
                   odd: Squares| { worker.plain(own, other, alpha, empty, odd) })
        }

        #[inline(always)]
        fn ordered(self, worker: &mut Worker<Self>, own: Squares, other: Squares, alpha: i32, empty: Squares) -> i32 {
            wide!(|worker: &mut Worker<Wide>, own: Squares, other: Squares, alpha: i32, empty: Squares| {
                worker.ordered(own, other, alpha, empty)
            })
        }

        #[inline(always)]
        fn outlook(self, field: &Field, discs: [Squares; 2], depth: u32, window: [i32; 2]) -> i32 {
            let kernel = self;
            wide!(|kernel: Wide, field: &Field, discs: [Squares; 2], depth: u32, window: [i32; 2]| {
                outlook::outlook(kernel, field, discs, depth, window)
            })
        }
    }
}
