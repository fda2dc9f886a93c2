//! Pictures: panels of bars, lines and bands, one above the other, as SVG.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use yomikiri_table::first_bytes;

use super::super::error::Failure;
use super::super::output::grouped;

/// The second line of the SVG, after the opening tag. It identifies the pictures of this command.
const MARK: &str = "<!-- yomikiri plot -->";

/// The size of a picture in pixels.
const SIZE: (u32, u32) = (880, 540);

/// The height of the title in pixels. `LINE` is the height of a line of text below the title. `MARGIN` is the width of
/// the margin around everything.
const TITLE: u32 = 30;
const LINE: u32 = 22;
const MARGIN: u32 = 16;

const FONT: &str = "sans-serif";
const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);
const TEXT: RGBColor = RGBColor(0x22, 0x22, 0x22);
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

/// A colour, named by its use. The colours differ in lightness, so that they can be told apart in grey too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Results good for Black, or for the side to move.
    Dark,
    /// A draw.
    Middle,
    /// Results good for White, or bad for the side to move.
    Light,
    /// Numbers that belong to no side.
    Plain,
    /// A range around the numbers drawn in [`Ink::Plain`].
    Pale,
    /// A wider range around the range drawn in [`Ink::Pale`].
    Paler,
}

impl Ink {
    fn colour(self) -> RGBColor {
        match self {
            Ink::Dark => RGBColor(0x1d, 0x2f, 0x4a),
            Ink::Middle => RGBColor(0x74, 0x80, 0x8b),
            Ink::Light => RGBColor(0xf5, 0xc4, 0x63),
            Ink::Plain => RGBColor(0x2f, 0x6f, 0x9f),
            Ink::Pale => RGBColor(0xa9, 0xca, 0xe0),
            Ink::Paler => RGBColor(0xe2, 0xed, 0xf5),
        }
    }
}

/// A shape, drawn in one ink.
pub enum Shape {
    /// Vertical bars. Each element has a number on the horizontal axis, and the heights of the lower and the upper end
    /// of the bar.
    Bars(Vec<(f64, Range<f64>)>),
    /// Points joined by lines, with a dot at each point.
    Line(Vec<(f64, f64)>),
    /// The area between two lines. Each element has a number on the horizontal axis, and the heights of both lines at
    /// that number.
    Band(Vec<(f64, Range<f64>)>),
}

pub struct Series {
    /// The name in the legend. `None` leaves the series out of the legend.
    pub name: Option<&'static str>,
    pub ink: Ink,
    pub shape: Shape,
}

#[derive(Clone)]
pub struct Axis {
    /// The name of the axis: the quantity and its unit.
    pub name: String,
    pub range: Range<f64>,
    /// The numbers that have a tick and a label.
    pub ticks: Vec<f64>,
    /// True if the scale is logarithmic.
    pub is_logarithmic: bool,
    /// True if positive numbers have a plus sign.
    pub is_signed: bool,
}

impl Axis {
    /// Makes an axis of whole numbers from `least` to `greatest`, with room for a bar at each number.
    pub fn whole(name: &str, least: i64, greatest: i64) -> Axis {
        let step = step((greatest - least) as f64 / 20.0).max(1.0);
        let first = (least as f64 / step).ceil();
        let ticks = (0..).map(|number| (first + f64::from(number)) * step).take_while(|tick| *tick <= greatest as f64);
        Axis {
            name: name.into(),
            range: least as f64 - 0.6..greatest as f64 + 0.6,
            ticks: ticks.collect(),
            is_logarithmic: false,
            is_signed: false,
        }
    }

    /// Makes an axis from 0 to the first tick that is at least `greatest`.
    pub fn from_zero(name: &str, greatest: f64) -> Axis {
        let step = step(greatest / 6.0);
        let last = (greatest / step).ceil();
        let ticks = (0..=last as u32).map(|number| f64::from(number) * step).collect();
        Axis { name: name.into(), range: 0.0..last * step, ticks, is_logarithmic: false, is_signed: false }
    }

    /// Makes a logarithmic axis for numbers of positions from 1 to `greatest`, with at most `ticks` ticks at powers of
    /// ten. The axis begins at 0.7, so that a bar of 1 is visible.
    pub fn logarithmic(name: &str, greatest: u64, ticks: u32) -> Axis {
        let powers = greatest.max(2).ilog10() + u32::from(!is_power_of_ten(greatest.max(2)));
        let step = (powers + 1).div_ceil(ticks);
        let ticks: Vec<f64> = (0..=powers).step_by(step as usize).map(|power| 10f64.powi(power as i32)).collect();
        Axis { name: name.into(), range: 0.7..10f64.powi(powers as i32), ticks, is_logarithmic: true, is_signed: false }
    }

    /// Formats the label of a tick.
    fn number(&self, number: f64) -> String {
        let sign = if number < 0.0 {
            "−"
        } else if self.is_signed && number > 0.0 {
            "+"
        } else {
            ""
        };
        let whole = grouped(number.abs() as u64);
        let is_whole = number.fract() == 0.0;
        if is_whole { format!("{sign}{whole}") } else { format!("{sign}{}", (number.abs() * 1e6).round() / 1e6) }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, number: &f64, (low, high): (i32, i32)) -> i32 {
        let place = |number: f64| if self.is_logarithmic { number.max(f64::MIN_POSITIVE).log10() } else { number };
        let [start, end, here] = [self.range.start, self.range.end, *number].map(place);
        low + (f64::from(high - low) * (here - start) / (end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(number: &f64) -> String {
        number.to_string()
    }
}

fn is_power_of_ten(number: u64) -> bool {
    10u64.checked_pow(number.ilog10()) == Some(number)
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= least).unwrap_or(10.0 * power)
}

pub struct Panel {
    /// The panel's share of the height below the title, from 0 to 1.
    pub share: f64,
    pub across: Axis,
    pub up: Axis,
    pub series: Vec<Series>,
}

pub struct Picture {
    pub title: String,
    /// The line of text below the title.
    pub about: String,
    /// The numbers in the picture, as JSON.
    pub data: String,
    pub panels: Vec<Panel>,
}

/// The number of bytes read to recognize a picture. The first two lines are shorter.
const FIRST_LINES: usize = 4096;

/// Returns true if a file is a picture of this command, by its first two lines.
pub fn is_picture(path: &Path) -> bool {
    first_bytes(path, FIRST_LINES).is_some_and(|bytes| begins_as_one(&bytes))
}

fn begins_as_one(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.next().is_some_and(|line| line.starts_with(b"<svg ")) && lines.next() == Some(MARK.as_bytes())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

impl Picture {
    /// Returns the picture as SVG, with title, data and background. Words are text elements, not outlines.
    pub fn svg(&self) -> Result<String, Failure> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| Failure::work(format!("the picture cannot be drawn: {error}")))?;
        let (tag, rest) = svg.split_once('\n').unwrap_or_default();
        let [title, data] = [&self.title, &self.data].map(|text| escaped(text));
        Ok(format!("{tag}\n{MARK}\n<title>{title}</title>\n<desc>{data}</desc>\n{rest}"))
    }

    fn draw(&self, svg: &mut String) -> Drawn {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&PAPER)?;
        let root = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (head, body) = root.split_vertically(TITLE + 2 * LINE);
        let (left, at) = (HPos::Left, VPos::Top);
        head.draw_text(&self.title, &(FONT, 24).into_font().color(&TEXT).pos(Pos::new(left, at)), (0, 0))?;
        let small = (FONT, 17).into_font().color(&TEXT).pos(Pos::new(left, at));
        head.draw_text(&self.about, &small, (0, TITLE as i32))?;
        let mut x = 0;
        for Series { name, ink, .. } in self.panels.iter().flat_map(|panel| &panel.series) {
            let (Some(name), y) = (name, (TITLE + LINE) as i32) else { continue };
            head.draw(&Rectangle::new([(x, y + 1), (x + 12, y + 13)], ink.colour().filled()))?;
            head.draw_text(name, &small, (x + 18, y))?;
            x += 42 + 8 * name.chars().count() as i32;
        }
        let (mut rest, mut share) = (body, 1.0);
        for panel in &self.panels {
            let height = f64::from(rest.dim_in_pixel().1) * panel.share / share;
            let (own, after) = rest.split_vertically(height as u32);
            panel.draw(&own)?;
            (rest, share) = (after, share - panel.share);
        }
        root.present()?;
        Ok(())
    }
}

impl Panel {
    fn draw(&self, area: &Area) -> Drawn {
        let mut builder = ChartBuilder::on(area);
        builder.margin_top(8).margin_right(12).x_label_area_size(46).y_label_area_size(104);
        let mut chart = builder.build_cartesian_2d(self.across.clone(), self.up.clone())?;
        let (across, up) = (|number: &f64| self.across.number(*number), |number: &f64| self.up.number(*number));
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().bold_line_style(GRID).light_line_style(TRANSPARENT).axis_style(TEXT);
        mesh.x_labels(self.across.ticks.len()).y_labels(self.up.ticks.len());
        mesh.x_label_formatter(&across).y_label_formatter(&up).x_desc(&self.across.name).y_desc(&self.up.name);
        let words = (FONT, 16).into_font().color(&TEXT);
        mesh.label_style(words.clone()).axis_desc_style(words).draw()?;
        for Series { ink, shape, .. } in &self.series {
            let colour = ink.colour();
            match shape {
                Shape::Bars(bars) => {
                    let bar = |(place, heights): &(f64, Range<f64>)| {
                        Rectangle::new([(place - 0.42, heights.start), (place + 0.42, heights.end)], colour.filled())
                    };
                    chart.draw_series(bars.iter().map(bar))?;
                }
                Shape::Line(points) => {
                    let line = PathElement::new(points.clone(), colour.stroke_width(2));
                    chart.draw_series([line])?;
                    chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
                }
                Shape::Band(heights) => {
                    let there = heights.iter().map(|(place, heights)| (*place, heights.start));
                    let back = heights.iter().rev().map(|(place, heights)| (*place, heights.end));
                    chart.draw_series([Polygon::new(there.chain(back).collect::<Vec<_>>(), colour.filled())])?;
                }
            }
        }
        Ok(())
    }
}

/// Escapes a text for the inside of an XML element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let ticks = |axis: Axis| axis.ticks.iter().map(|tick| axis.number(*tick)).collect::<Vec<_>>().join(" ");
        assert_eq!(ticks(Axis::whole("", 0, 6)), "0 1 2 3 4 5 6");
        assert_eq!(ticks(Axis::whole("", 3, 38)), "4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38");
        assert_eq!(ticks(Axis::whole("", -12, 12)), "−12 −10 −8 −6 −4 −2 0 2 4 6 8 10 12");
        assert_eq!(ticks(Axis::from_zero("", 100.0)), "0 20 40 60 80 100");
        assert_eq!(ticks(Axis::from_zero("", 0.9)), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(ticks(Axis::logarithmic("", 99, 9)), "1 10 100");
        assert_eq!(ticks(Axis::logarithmic("", 100, 9)), "1 10 100");
        assert_eq!(ticks(Axis::logarithmic("", 101, 4)), "1 10 100 1,000");
        assert_eq!(ticks(Axis::logarithmic("", 1, 9)), "1 10");
        assert_eq!(ticks(Axis::logarithmic("", 999_999_999, 5)), "1 100 10,000 1,000,000 100,000,000");
        assert_eq!(step(0.0), 1e-6);
    }

    #[test]
    fn pictures_are_known_and_nothing_else_is() {
        let text = |text: &str| (text.to_string(), text.to_string(), text.to_string());
        let (title, about, data) = text("a < b & c");
        let svg = Picture { title, about, data, panels: Vec::new() }.svg().unwrap_or_else(|_| panic!("is drawn"));
        assert!(begins_as_one(svg.as_bytes()) && svg.contains("<title>a &lt; b &amp; c</title>"), "{svg}");
        for other in ["", "<svg >\n", "<svg xmlns=\"\">\n<rect/>", MARK] {
            assert!(!begins_as_one(other.as_bytes()), "{other}");
        }
    }
}
