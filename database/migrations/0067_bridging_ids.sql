-- A CVE has thousands of notices that only say that they are about it; who is the same as it is found without reading those.
drop index alias_assertion_other;
create index alias_assertion_other on alias_assertion (other_id, bridges);
