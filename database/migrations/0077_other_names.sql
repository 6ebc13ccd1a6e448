-- Further package URLs and CPEs by which an SBOM names a component (decision 35), for what is compared with its names: statements of VEX, searches. What tools
-- concluded by CPE is kept apart: it is nobody's word. null: none, or stored before this was kept.
alter table component
  add column other_names text[],
  add column concluded_cpes text[];
