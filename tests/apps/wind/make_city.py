# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a city of many buildings as GeoJSON (metres and degrees), shapefile and GeoPackage, with cases that read them.

Houses have 5 to 12 corners. They form terraces with common walls, and each terrace has its own direction. As in files
of cities, some houses overlap their neighbour, some are small sheds, and some outlines cross themselves.

    make_city.py FOLDER [--buildings 100000] [--crossing 20] [--spacing 10]
    karman wind FOLDER/metres.json --dry-run
"""
import argparse
import json
import math
import pathlib
import random
import sqlite3
import struct

LOT = 24.0  # metres between the middles of neighbours
TERRACE = 8  # houses in a row
ORIGIN = (690000.0, 5334000.0)  # UTM zone 32N


def outline(random_source, length, width):
    """A rectangle about (0, 0) whose corners are kept, cut off or notched: 5 to 12 corners."""
    cuts = [random_source.choice((0, 0, 1, 2)) for _ in range(4)]
    if not any(cuts):
        cuts[0] = 1
    a, b = length / 2, width / 2
    corners = []
    for (sx, sy), cut in zip(((-1, -1), (1, -1), (1, 1), (-1, 1)), cuts):
        depth_x, depth_y = 0.12 * length, 0.25 * width
        first, last = (sx * a, sy * (b - depth_y)), (sx * (a - depth_x), sy * b)
        if sx * sy < 0:
            first, last = last, first
        if cut == 0:
            corners.append((sx * a, sy * b))
        elif cut == 1:
            corners += [first, last]
        else:
            corners += [first, (sx * (a - depth_x), sy * (b - depth_y)), last]
    return corners


def city(count, crossing, seed=7):
    """Corners in metres and height of each building."""
    source = random.Random(seed)
    columns = math.ceil(math.sqrt(count) / TERRACE) * TERRACE
    crossed = set(source.sample(range(count), crossing))
    turn = 0.0
    for n in range(count):
        row, column = divmod(n, columns)
        place = column % TERRACE
        if place == 0:
            turn = math.radians(source.uniform(-1.5, 1.5))
        # Common walls within a terrace; one house in a hundred reaches into the next.
        length = LOT * (1.2 if source.random() < 0.01 else 1.0)
        width = source.uniform(8, 16)
        if source.random() < 0.05:
            length, width = 3, 2
        ring = outline(source, length, width)
        if n in crossed:
            ring[0], ring[1] = ring[1], ring[0]
        c, s = math.cos(turn), math.sin(turn)
        along = (place - (TERRACE - 1) / 2) * LOT
        x0 = ORIGIN[0] + (column - place + TERRACE / 2) * (LOT + 2)
        y0 = ORIGIN[1] + row * LOT
        yield [(x0 + (x + along) * c - y * s, y0 + (x + along) * s + y * c) for x, y in ring], source.choice(
            (4.5, 6.0, 9.0, 12.5, 21.0)
        )


def degrees(x, y):
    """Longitude and latitude near the corner of the city, enough for outlines in degrees."""
    return 11.56 + (x - ORIGIN[0]) / 74400.0, 48.14 + (y - ORIGIN[1]) / 111200.0


def write_geojson(path, buildings, place, digits):
    with open(path, "w", encoding="ascii") as file:
        file.write('{"type": "FeatureCollection", "features": [\n')
        for n, (ring, height) in enumerate(buildings):
            positions = ",".join(f"[{x:.{digits}f},{y:.{digits}f}]" for x, y in (place(*p) for p in ring + ring[:1]))
            file.write(
                ("" if n == 0 else ",\n")
                + f'{{"type": "Feature", "properties": {{"id": {n}, "height": {height}, "use": "residential", '
                f'"street": "Lane {n % 997}"}}, "geometry": {{"type": "Polygon", "coordinates": [[{positions}]]}}}}'
            )
        file.write("\n]}\n")


PROJECTION = (
    'PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,'
    '298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
    'PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],'
    'PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]'
)


def box_of(points):
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def write_shapefile(path, buildings):
    """ESRI Shapefile Technical Description (1998), type 5; attributes in dBASE III."""
    records, index = bytearray(), bytearray()
    for n, (ring, _) in enumerate(buildings):
        points = list(reversed(ring + ring[:1]))  # outer rings are clockwise
        content = struct.pack("<i4d3i", 5, *box_of(points), 1, len(points), 0)
        content += b"".join(struct.pack("<2d", *p) for p in points)
        index += struct.pack(">2i", (100 + len(records)) // 2, len(content) // 2)
        records += struct.pack(">2i", n + 1, len(content) // 2) + content
    box = box_of([p for ring, _ in buildings for p in ring])
    for ending, body in ((".shp", records), (".shx", index)):
        header = struct.pack(">i20xi", 9994, (100 + len(body)) // 2)
        header += struct.pack("<2i8d", 1000, 5, *box, 0, 0, 0, 0)
        path.with_suffix(ending).write_bytes(header + body)
    with open(path.with_suffix(".dbf"), "wb") as file:
        file.write(struct.pack("<4BIHH20x", 3, 126, 1, 1, len(buildings), 32 + 2 * 32 + 1, 1 + 10 + 20))
        file.write(struct.pack("<11sc4xBB14x", b"height", b"N", 10, 2))
        file.write(struct.pack("<11sc4xBB14x", b"use", b"C", 20, 0) + b"\r")
        for _, height in buildings:
            file.write(b" " + f"{height:10.2f}".encode() + b"residential".ljust(20))
        file.write(b"\x1a")
    path.with_suffix(".prj").write_text(PROJECTION, encoding="ascii")


def write_geopackage(path, buildings):
    """OGC 12-128 (GeoPackage 1.2) with one layer of polygons."""
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.executescript(
        """PRAGMA application_id = 1196444487; PRAGMA user_version = 10200;
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
          organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
        CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
          description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT '2026-01-01T00:00:00.000Z', min_x DOUBLE,
          min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
        CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
          geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
          PRIMARY KEY (table_name, column_name));
        CREATE TABLE buildings (fid INTEGER PRIMARY KEY, geom POLYGON, height DOUBLE, use TEXT);
        INSERT INTO gpkg_geometry_columns VALUES ('buildings', 'geom', 'POLYGON', 32632, 0, 0);"""
    )
    systems = [("undefined", -1, "NONE", -1, "undefined", None), ("undefined", 0, "NONE", 0, "undefined", None)]
    systems.append(("WGS 84 / UTM zone 32N", 32632, "EPSG", 32632, PROJECTION, None))
    base.executemany("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", systems)
    box = box_of([p for ring, _ in buildings for p in ring])
    base.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, min_x, min_y, max_x, max_y, srs_id) "
        "VALUES ('buildings', 'features', 'buildings', ?, ?, ?, ?, 32632)",
        box,
    )
    rows = []
    for ring, height in buildings:
        points = ring + ring[:1]
        shape = struct.pack("<2sBBi", b"GP", 0, 1, 32632) + struct.pack("<BIII", 1, 3, 1, len(points))
        rows.append((shape + b"".join(struct.pack("<2d", *p) for p in points), height, "residential"))
    base.executemany("INSERT INTO buildings (geom, height, use) VALUES (?, ?, ?)", rows)
    base.commit()
    base.close()


def write_case(path, entry, spacing, system=None):
    domain = {"around": "buildings", "margin": 8, "spacing": [spacing, spacing]}
    domain["layers"] = {"kind": "stretched", "count": 14, "thickness": 3, "ratio": 1.35, "uniform_layers": 6}
    if system:
        domain["crs"] = system
    wind = {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.5}, "direction": 250}
    path.write_text(json.dumps({"domain": domain, "wind": wind, "buildings": [entry]}, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--buildings", type=int, default=100_000)
    parser.add_argument("--crossing", type=int, default=20)
    parser.add_argument("--spacing", type=float, default=10)
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    buildings = list(city(options.buildings, options.crossing))
    write_geojson(folder / "metres.geojson", buildings, lambda x, y: (x, y), 2)
    write_geojson(folder / "degrees.geojson", buildings, degrees, 7)
    write_shapefile(folder / "city.shp", buildings)
    write_geopackage(folder / "city.gpkg", buildings)
    write_case(folder / "metres.json", {"kind": "geojson", "file": "metres.geojson"}, options.spacing)
    degree_entry = {"kind": "geojson", "file": "degrees.geojson", "coordinates": "degrees"}
    write_case(folder / "degrees.json", degree_entry, options.spacing, "auto")
    for name, file in (("shapefile", "city.shp"), ("geopackage", "city.gpkg")):
        write_case(folder / f"{name}.json", {"kind": "shapefile", "file": file}, options.spacing)
    corners = sum(len(ring) for ring, _ in buildings)
    print(f"{len(buildings)} buildings, {corners} corners, {16 * corners} bytes of coordinates")


if __name__ == "__main__":
    main()
