//! libFuzzer as a function; `tools/guided.py` builds it. Outside the workspace, as it calls C.

use std::ffi::{CString, c_char, c_int};
use std::sync::Mutex;

use libfuzzer_sys as _;

type Each = Box<dyn FnMut(&[u8]) + Send>;
static EACH: Mutex<Option<Each>> = Mutex::new(None);

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(count: *mut c_int, words: *mut *mut *mut c_char, each: extern "C" fn(*const u8, usize) -> c_int) -> c_int;
}

/// libFuzzer's own `main`, which is not used, wants it.
#[unsafe(no_mangle)]
fn rust_fuzzer_test_input(_: &[u8]) -> i32 {
    0
}

extern "C" fn each(data: *const u8, size: usize) -> c_int {
    // SAFETY: libFuzzer gives `size` bytes, for no size perhaps no address
    let data = if size == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data, size) } };
    EACH.lock().unwrap().as_mut().unwrap()(data);
    0
}

/// Runs a target for as long as the words in GUIDED say. A panic ends the process, and libFuzzer keeps its input.
pub fn run<'a>(target: impl FnMut(&[u8]) + 'a) {
    let target: Box<dyn FnMut(&[u8]) + 'a> = Box::new(target);
    // SAFETY: libFuzzer ends the process, so that the target lives to its end; only this thread calls it
    *EACH.lock().unwrap() = Some(unsafe { std::mem::transmute::<Box<dyn FnMut(&[u8]) + 'a>, Each>(target) });
    let words = std::env::var("GUIDED").unwrap();
    let words: Vec<CString> = std::iter::once("guided").chain(words.split(' ')).map(|word| CString::new(word).unwrap()).collect();
    let mut words: Vec<*mut c_char> = words.into_iter().map(CString::into_raw).collect();
    words.push(std::ptr::null_mut());
    let (mut count, mut first) = (words.len() as c_int - 1, words.as_mut_ptr());
    // SAFETY: an array of texts that ends with no address, as `main` gets it
    std::process::exit(unsafe { LLVMFuzzerRunDriver(&mut count, &mut first, each) });
}
