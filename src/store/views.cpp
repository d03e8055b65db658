#include "store/views.h"

#include <fmt/format.h>

namespace sprig::store {

namespace {

const char* const history = R"(CREATE VIEW history AS
SELECT e.id, e.lesson, e.kind, printf('%016x', e.unit) AS unit,
  CASE WHEN e.target IS NULL THEN NULL ELSE printf('%016x', e.target) END AS target,
  c.label AS class, t.meaning AS why
FROM event e JOIN event_total t ON t.kind = e.kind
LEFT JOIN unit u ON u.lineage = e.unit LEFT JOIN class c ON c.id = u.class)";

const char* const constellation_classes = R"(CREATE VIEW classes AS
SELECT c.label, c.samples, count(u.lineage) AS units, coalesce(sum(u.samples), 0) AS explained
FROM class c LEFT JOIN unit u ON u.class = c.id GROUP BY c.id ORDER BY c.id)";

const char* const constellation_units = R"(CREATE VIEW units AS
SELECT printf('%016x', u.lineage) AS unit, c.label AS class, u.born, u.samples,
  round(1.0 * u.samples / c.samples, 4) AS share,
  (SELECT count(*) FROM node n WHERE n.unit = u.lineage) AS nodes
FROM unit u JOIN class c ON c.id = u.class ORDER BY c.id, u.samples DESC)";

/// Of the features those are there that count: see the columns.
std::string constellation_nodes(const std::vector<std::string>& columns) {
    std::string features;
    for (const std::string& column : columns) {
        if (column == "type" || column == "hits" || column == "watched" || column.ends_with("_squares"))
            continue;
        features += fmt::format(", round(n.{0}, 3) AS {0}", column);
    }
    return fmt::format(R"(CREATE VIEW nodes AS
SELECT printf('%016x', n.unit) AS unit, c.label AS class, n.place, t.name AS type,
  round(min(0.999, (n.hits + 1) / (n.watched + 1.3)), 4) AS presence, n.hits, n.watched{}
FROM node n JOIN unit u ON u.lineage = n.unit JOIN class c ON c.id = u.class
JOIN node_type t ON t.id = n.type)",
                       features);
}

const char* const modeller_classes = R"(CREATE VIEW classes AS
SELECT c.label, c.own AS samples, count(u.lineage) AS units,
  coalesce(sum(u.polarity = 0), 0) AS positive, coalesce(sum(u.polarity = 1), 0) AS negative
FROM class c LEFT JOIN unit u ON u.class = c.id GROUP BY c.id ORDER BY c.id)";

const char* const modeller_units = R"(CREATE VIEW units AS
WITH RECURSIVE chain(lineage, depth) AS (
  SELECT lineage, 1 FROM unit WHERE target = 0
  UNION ALL SELECT u.lineage, chain.depth + 1 FROM chain JOIN unit u ON u.target = chain.lineage)
SELECT printf('%016x', u.lineage) AS unit, c.label AS class, chain.depth,
  CASE u.polarity WHEN 0 THEN 'positive' ELSE 'negative' END AS polarity,
  CASE WHEN u.target = 0 THEN NULL ELSE printf('%016x', u.target) END AS target,
  u.born, u.active, u.inactive,
  CASE WHEN u.active + u.inactive = 0 THEN 1.0
    ELSE round(1.0 * u.active / (u.active + u.inactive), 4) END AS reliability,
  u.fired, u.fired_own,
  (SELECT count(*) FROM node n WHERE n.unit = u.lineage) AS nodes,
  (SELECT count(*) FROM edge e WHERE e.unit = u.lineage) AS edges
FROM unit u JOIN class c ON c.id = u.class JOIN chain ON chain.lineage = u.lineage
ORDER BY c.id, chain.depth, u.born)";

const char* const modeller_nodes = R"(CREATE VIEW nodes AS
SELECT printf('%016x', n.unit) AS unit, c.label AS class, n.place, t.name AS type, n.n,
  round(n.x, 3) AS x, round(n.y, 3) AS y, printf('%016x', n.key) AS key
FROM node n JOIN unit u ON u.lineage = n.unit JOIN class c ON c.id = u.class
JOIN node_type t ON t.id = n.type)";

const char* const modeller_edges = R"(CREATE VIEW edges AS
SELECT printf('%016x', e.unit) AS unit, c.label AS class, e.place, l.name AS layer,
  tt.name AS tail_type, ht.name AS head_type, round(e.dx, 3) AS dx, round(e.dy, 3) AS dy, e.n,
  printf('%016x', e.tail) AS tail, printf('%016x', e.head) AS head
FROM edge e JOIN unit u ON u.lineage = e.unit JOIN class c ON c.id = u.class
JOIN layer l ON l.id = e.layer
JOIN node t ON t.key = e.tail JOIN node h ON h.key = e.head
JOIN node_type tt ON tt.id = t.type JOIN node_type ht ON ht.id = h.type)";

/// Nodes that a unit's edges end at and another unit owns.
const char* const modeller_anchors = R"(CREATE VIEW anchors AS
SELECT DISTINCT printf('%016x', e.unit) AS unit, printf('%016x', n.unit) AS owner,
  t.name AS type, printf('%016x', n.key) AS key
FROM edge e JOIN node n ON n.key IN (e.tail, e.head) AND n.unit <> e.unit
JOIN node_type t ON t.id = n.type)";

} // namespace

std::vector<std::string> views_of(const Codec& codec) {
    if (codec.columns().of_edge.empty())
        return {history, constellation_classes, constellation_units,
                constellation_nodes(codec.columns().of_node)};
    return {history, modeller_classes, modeller_units, modeller_nodes, modeller_edges, modeller_anchors};
}

} // namespace sprig::store
