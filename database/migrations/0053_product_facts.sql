-- What is asked about a product in every report to an authority: kept once with its family, copied into each draft.
create table product_facts (
  family_id uuid primary key,
  workspace_id uuid not null,
  -- codes of the states in which it is available
  member_states text[] not null default '{}',
  product_type text check (product_type in ('default', 'important', 'critical')),
  product_class text check (product_class in ('class_1', 'class_2')),
  category text,
  -- the last day of the support period
  support_ends_on date,
  -- where its users reach the manufacturer
  user_contact text,
  changed_at timestamptz not null,
  changed_by_name text not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
