-- Which bucket an object was put into, as OBJECT_STORE_URL names it: erasure is recorded by what that bucket answers, and by no other. Null: put by a
-- release that did not say, and taken to be in the one that is set; `objects check` writes it.
alter table original_object add column bucket text;
