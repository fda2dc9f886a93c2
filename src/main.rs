use yomikiri::games::binarsi::Binarsi;
use yomikiri::solve::*;
struct P;
impl Progress for P {
    fn begin(&self, n: &str, t: u64) { eprintln!("{n} {t}"); }
    fn advance(&self, _: u64) {}
    fn end(&self, s: &str) { eprintln!("{s} {:?}", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() % 1000000); }
}
fn main() {
    let code = std::env::args().nth(1).unwrap();
    let g = Binarsi::parse(&code).unwrap();
    let folder = std::path::PathBuf::from(std::env::args().nth(2).unwrap());
    let job = Job { folder: folder.clone(), memory: 8 << 30, force: true, progress: &P };
    let path = folder.join(format!("{code}.tbl"));
    tiers::analyze(&g, &path, &job).unwrap();
    let t = yomikiri::table::Table::open(&path, &code, 1, 1).unwrap();
    let m = t.meta().unwrap();
    let by: Vec<u64> = m.tally.plies.values().map(|b| b.values().sum()).collect();
    println!("{by:?} {}", t.length());
    println!("{:?}", m.tally.plies[&0]);
}
