use super::*;
use crate::rules::ruleset::Zone;

fn grid(columns: u16, rows: u16) -> Layout {
    Layout::Grid(Grid { columns, rows, ..Grid::default() })
}

fn row(size: u16) -> Layout {
    Layout::Row(Row { size, slide: Slide::Never })
}

#[test]
fn neighbours_stay_inside_the_grid() {
    let next_to = |layout: Layout, at: u16| layout.neighbours(at).to_vec();
    assert_eq!(next_to(grid(3, 3), 0), [1, 3]);
    assert_eq!(next_to(grid(3, 3), 4), [1, 3, 5, 7]);
    assert_eq!(next_to(row(3), 1), [0, 2]);
    assert_eq!(next_to(row(3), 2), [1]);
    assert_eq!(next_to(Layout::List, 0), [0; 0]);
}

#[test]
fn directions_lead_to_neighbours() {
    let all = |layout: &Layout, at: u16| -> Vec<(Direction, u16)> {
        Direction::ALL.into_iter().filter_map(|way| Some((way, layout.next(at, way)?))).collect()
    };
    let eight = Layout::Grid(Grid { columns: 3, rows: 3, has_corners: true, ..Grid::default() });
    assert_eq!(eight.neighbours(4).to_vec(), [0, 1, 2, 3, 5, 6, 7, 8]);
    assert_eq!(eight.neighbours(0).to_vec(), [1, 3, 4]);
    assert_eq!(all(&eight, 0), [(Direction::East, 1), (Direction::SouthEast, 4), (Direction::South, 3)]);
    let hex = Layout::Hex(Hex { columns: 3, rows: 3 });
    assert_eq!(hex.neighbours(4).to_vec(), [1, 2, 3, 5, 6, 7]);
    assert_eq!(hex.neighbours(0).to_vec(), [1, 3]);
    assert_eq!(hex.neighbours(2).to_vec(), [1, 4, 5]);
    for layout in [eight, hex] {
        for at in 0..9 {
            for (way, next) in all(&layout, at) {
                assert_eq!(layout.next(next, way.opposite()), Some(at), "{way:?} of {at} and back");
            }
        }
    }
}

#[test]
fn a_board_that_wraps_has_no_edges() {
    let strip = |columns: u16, rows: u16| {
        let wraps = Wraps { across: true, down: false };
        Layout::Grid(Grid { columns, rows, has_corners: true, wraps })
    };
    assert_eq!(strip(4, 1).neighbours(0).to_vec(), [3, 1]);
    assert_eq!(strip(2, 1).neighbours(0).to_vec(), [1]);
    assert_eq!(strip(1, 1).neighbours(0).to_vec(), [0; 0]);
    assert_eq!(strip(3, 2).next(0, Direction::SouthWest), Some(5));
    assert_eq!(strip(3, 2).next(0, Direction::North), None);
    assert_eq!((strip(4, 1).start_of_line(2, Direction::East), grid(4, 1).start_of_line(2, Direction::East)), (2, 0));
}

#[test]
fn points_have_the_neighbours_of_their_lines() {
    let mut points = Points::new(4);
    assert!(points.lead(0, Direction::East, 1) && points.lead(1, Direction::East, 2));
    assert!(!points.lead(0, Direction::East, 3), "one direction leads to one point");
    assert!(!points.lead(3, Direction::East, 2), "and back to one point");
    points.join(3, 1);
    points.join(3, 1);
    let layout = Layout::Points(points);
    assert_eq!(layout.neighbours(1).to_vec(), [0, 2, 3]);
    assert_eq!((layout.next(2, Direction::West), layout.next(3, Direction::East)), (Some(1), None));
    assert_eq!((layout.start_of_line(2, Direction::East), layout.start_of_line(0, Direction::West)), (0, 2));
}

#[test]
fn only_the_spaces_of_a_row_or_column_are_looked_at() {
    let spaces = |line: Line| line.of(6, 3).map(|line| line.spaces().collect::<Vec<u16>>());
    assert_eq!(spaces(Line::All), Some(vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(spaces(Line::Row(2)), Some(vec![3, 4, 5]));
    assert_eq!(spaces(Line::Column(3)), Some(vec![2, 5]));
    for nowhere in [Line::Row(0), Line::Row(3), Line::Row(u16::MAX), Line::Column(0), Line::Column(4)] {
        assert_eq!(spaces(nowhere), None);
    }
}

#[test]
fn a_layout_without_spaces_has_one_spot_and_no_rows() {
    assert_eq!((Layout::List.spot(0), Layout::List.rows(), Layout::List.columns()), ((1, 1), 0, 1));
    assert_eq!((grid(3, 2).spot(5), grid(3, 2).rows()), ((2, 3), 2));
    assert_eq!((row(4).spot(3), row(4).rows()), ((1, 4), 1));
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn each_name_of_a_space_leads_to_it() {
    let zones = [
        Zone { layout: Layout::List, ..Zone::default() },
        Zone { layout: row(3), row_names: names(&["a", "b"]), ..Zone::default() },
        Zone { layout: row(3), column_names: names(&["left"]), ..Zone::default() },
        Zone { layout: grid(3, 2), row_names: names(&["I", "II"]), column_names: names(&["left"]), ..Zone::default() },
        Zone { layout: grid(2, 2), ..Zone::default() },
    ];
    for zone in zones {
        for at in 0..zone.layout.cells() {
            for name in zone.space_names(at) {
                assert_eq!(zone.space_named(&name), Some(at), "{name} in {:?}", zone.layout);
            }
        }
        assert_eq!(zone.space_named("nowhere"), None);
    }
}

#[test]
fn of_two_spaces_with_one_name_the_first_is_meant() {
    let zone = Zone { layout: row(3), column_names: names(&["1", "3"]), ..Zone::default() };
    assert_eq!((zone.space_name(1), zone.space_name(2)), ("3".to_string(), "3".to_string()));
    assert_eq!(zone.space_named("3"), Some(1));
}
