-- What a document says of a component beside its name: why it is listed (null: nothing), and which vulnerabilities a patch to it fixes.
alter table component
  add column scope text check (scope in ('required', 'optional', 'excluded')),
  add column resolves text[];
