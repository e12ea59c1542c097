-- Streets, houses and places, found by address: from an import of the map, or from the operator's own files. The same for all
-- organisations. Each register has partitions of its own, which are filled before anybody looks for them and dropped as a whole;
-- so nobody but the owner of the tables, who fills the partitions directly, writes anything here.
create table register_places (
  register_id bigint not null,
  id integer not null,
  name text not null,
  other_names text[] not null,
  kind text not null,
  population integer not null,
  country text,
  lat double precision not null,
  lng double precision not null,
  area_ids integer[] not null,
  primary key (register_id, id)
) partition by list (register_id);

-- A street with all its houses in one text (server/map/register/numbers.ts): a search needs all of a street or nothing of it.
create table register_streets (
  register_id bigint not null,
  id integer not null,
  name text not null,
  other_names text[] not null,
  place_id integer not null,
  area_id integer,
  -- The other places it is found in: its commune, its suburb.
  also_in integer[] not null,
  postal_code text,
  lat double precision not null,
  lng double precision not null,
  reach_metres integer not null,
  house_count integer not null,
  line text not null,
  houses text not null,
  primary key (register_id, id)
) partition by list (register_id);

-- Every word of a name, once, and the places that have it in theirs.
create table register_words (
  register_id bigint not null,
  id integer not null,
  word text collate "C" not null,
  street_count integer not null,
  place_ids integer[] not null,
  primary key (register_id, id)
) partition by list (register_id);
create index register_words_word on register_words (register_id, word);

-- Under which spellings a word is found (server/map/register/spelling.ts).
create table register_spellings (
  register_id bigint not null,
  form integer not null,
  word_id integer not null,
  primary key (register_id, form, word_id)
) partition by list (register_id);

-- Which streets of which place have a word in one of their names, or as a postcode.
create table register_postings (
  register_id bigint not null,
  word_id integer not null,
  place_id integer not null,
  street_id integer not null,
  primary key (register_id, word_id, place_id, street_id)
) partition by list (register_id);

do $$
declare
  name text;
begin
  foreach name in array array['places', 'streets', 'words', 'spellings', 'postings'] loop
    execute format('alter table register_%s enable row level security', name);
    execute format('alter table register_%s force row level security', name);
    execute format('create policy service_only on register_%s using ((select current_setting(''waybill.organisation'')::bigint) = 0)', name);
  end loop;
end $$;
