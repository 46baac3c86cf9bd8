table directory_facts (
  kind text not null,
  id uuid not null,
  version bigint not null,
  deleted boolean not null,
  merchant_id uuid,
  environment text,
  lookup_key text,
  data jsonb not null,
  epoch integer,
  constraint directory_facts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint directory_facts_kind_check CHECK ((kind = ANY (ARRAY['merchant'::text, 'api_key'::text, 'receiver_account'::text, 'device'::text]))),
  constraint directory_facts_pkey PRIMARY KEY (kind, id),
  constraint directory_facts_version_check CHECK ((version > 0))
);
CREATE INDEX directory_facts_by_lookup_key ON directory_facts USING btree (kind, lookup_key) WHERE (lookup_key IS NOT NULL);
CREATE INDEX directory_facts_by_tenant ON directory_facts USING btree (kind, merchant_id, environment);

table directory_resends (
  kind text not null,
  asked_at timestamp with time zone,
  asked integer default 0 not null,
  completed_at timestamp with time zone,
  epoch integer,
  constraint directory_resends_pkey PRIMARY KEY (kind)
);

-- migration 20261127190100-create-directory-copy-1795806060000 5e57fc406fbc8f95f116b43246e4709412c6d142db2cfc7fd112f4363fadf59f
-- migration 20261127190400-gather-few-statistics-1795806240000 cd74e0ebbaa4b4efaa10ef3ef938a902964361da0649736951c8c312b81c0760
