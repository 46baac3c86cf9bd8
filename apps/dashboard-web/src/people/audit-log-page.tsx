import { Group, Paper, Text, TextInput } from '@mantine/core';
import type { AuditEntryResponse } from '@pay/contracts';
import { DataTable } from '../parts/data-table';
import { Time } from '../parts/facts';
import { FilterSelect } from '../parts/filter-select';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message, NoPermission } from '../parts/page-states';
import { SearchForm } from '../parts/search-form';
import { SectionTabs } from '../parts/section-pages';
import { ToneBadge } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useFilters } from '../parts/use-filters';
import { useCall, useMay } from '../session/session-context';
import { dhakaInstant } from '../text/dhaka-input';
import { useWords } from '../text/language';
import { actionText } from './action-text';
import { changedFields } from './changed-fields';
import { usePeopleWords } from './words';

/** Every change of the merchant's settings, people, keys and decisions, with the state before and after. */
export function AuditLogPage() {
  const { log: w } = usePeopleWords();
  const may = useMay();
  if (!may('listAuditLog')) {
    return (
      <>
        <PageHead title={w.title} />
        <SectionTabs />
        <NoPermission />
      </>
    );
  }
  return <AuditLog />;
}

function AuditLog() {
  const { log: w } = usePeopleWords();
  const call = useCall();
  const [filters, choose] = useFilters();
  const people = useWholeList(['users'], 'listUsers', {});
  const from = dhakaInstant(filters.get('from') ?? '');
  const to = dhakaInstant(filters.get('to') ?? '');
  const given = Object.entries({ actor: filters.get('actor'), action: filters.get('action'), from, to }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const query = { limit: PAGE_SIZE, ...Object.fromEntries(given) };
  const list = useKeysetList(['audit-log', query], (place, signal) =>
    call('listAuditLog', { query: { ...query, ...place } }, signal),
  );
  const nameOf = (actor: string) =>
    people.data?.data.find(({ id }) => actor === `user:${id}`)?.name ?? (actor.startsWith('user:') ? actor : w.system);
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ListTotal list={list} />
      </PageHead>
      <SectionTabs />
      <Group mb="md" gap="sm" align="flex-end">
        <FilterSelect
          name="actor"
          label={w.actor}
          words={Object.fromEntries((people.data?.data ?? []).map(({ id, name }) => [`user:${id}`, name]))}
        />
        <SearchForm
          label={w.action}
          placeholder={w.actionHint}
          text={filters.get('action') ?? ''}
          submitText={w.search}
          onSearch={(action) => choose('action', action)}
          maxLength={80}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            label={w[name]}
            type="datetime-local"
            value={filters.get(name) ?? ''}
            onChange={(event) => choose(name, event.currentTarget.value)}
          />
        ))}
      </Group>
      <KeysetList list={list} empty={<Message title={w.empty} />}>
        {(entries) => (
          <Paper component="ul" className="card-list" bg="transparent">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} person={nameOf(entry.actor)} />
            ))}
          </Paper>
        )}
      </KeysetList>
    </>
  );
}

function Entry({ entry, person }: { readonly entry: AuditEntryResponse; readonly person: string }) {
  const { log: w } = usePeopleWords();
  const { t, language } = useWords();
  const fields = changedFields(entry.before, entry.after);
  const show = (value: unknown) => (value === undefined || value === null ? w.nothing : textOf(value));
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-entry={entry.action}>
      <Group justify="space-between">
        <Text fw={600}>{actionText(entry.action, language) ?? entry.action}</Text>
        {entry.environment === null ? null : (
          <ToneBadge tone={entry.environment === 'LIVE' ? 'good' : 'warning'}>
            {t.environment[entry.environment]}
          </ToneBadge>
        )}
      </Group>
      <Text size="sm">
        {person} · <Time at={entry.at} />
      </Text>
      <Caption className="identifier">
        {entry.action} · {entry.subjectId}
      </Caption>
      {entry.reason === null ? null : (
        <Text size="sm">
          {w.reason}: {entry.reason}
        </Text>
      )}
      {fields.length === 0 ? null : (
        <details>
          <summary>{w.changed}</summary>
          <div className="scroll-sideways">
            <DataTable
              items={fields.map((field) => ({ ...field, id: field.name }))}
              columns={[
                { title: w.subject, cell: ({ name }) => name, isIdentifier: true },
                { title: w.before, cell: ({ before }) => show(before), isIdentifier: true },
                { title: w.after, cell: ({ after }) => show(after), isIdentifier: true },
              ]}
            />
          </div>
        </details>
      )}
    </Paper>
  );
}

const MOST_SHOWN = 300;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
