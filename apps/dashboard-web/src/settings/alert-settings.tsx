import { Anchor, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import type { AlertKind, AlertResponse, AlertSettings as Settings, Environment } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { membersOf, useChanges } from '../parts/use-changes';
import { useCall, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { SettingsForm } from './settings-form';
import { useAlertWords } from './alert-words';

const PLACES: Readonly<Record<AlertKind, (subject: string) => readonly string[]>> = {
  device_silent: () => ['devices'],
  exceptions_waiting: () => ['exceptions'],
  endpoint_failing: () => ['webhooks'],
  sms_missing: () => ['sms', 'missing'],
  payment_doubtful: (subject) => ['payments', subject],
};
const SHOWN = '10';

/** Which alerts are on in this environment, and the latest ones. */
export function AlertSettings({ environment }: { readonly environment: Environment }) {
  const settings = useOperation(['alert-settings', environment], 'getAlertSettings', { query: { environment } });
  if (settings.data === undefined) return <Pending query={settings} />;
  return <AlertForm settings={settings.data} />;
}

function AlertForm({ settings: { environment, kinds } }: { readonly settings: Settings }) {
  const w = useAlertWords();
  const call = useCall();
  const queries = useQueryClient();
  const all = Object.keys(w.kinds) as AlertKind[];
  const { fields, change, save } = useChanges(membersOf(all, kinds));
  const request = useMutation({
    mutationFn: (changes: Partial<typeof fields>) =>
      call('changeAlertSettings', { body: { environment, kinds: changes } }),
    onSuccess: async (changed) => {
      const queryKey = ['alert-settings', environment];
      // A reload that began before the change would replace it by the previous values.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, changed);
    },
  });
  return (
    <SettingsForm
      title={w.title(environment)}
      text={w.text}
      action="changeAlertSettings"
      save={request}
      onSubmit={() => save(request.mutateAsync)}
      after={<LatestAlerts environment={environment} />}
    >
      <Checkbox.Group
        label={w.label}
        value={all.filter((kind) => fields[kind])}
        onChange={(chosen) => all.forEach((kind) => change(kind)(chosen.includes(kind)))}
      >
        <Stack gap="xs" mt="xs">
          {all.map((kind) => (
            <Checkbox key={kind} value={kind} label={w.kinds[kind]} description={w.hints[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Anchor component={Link} href={placeOf(environment, 'webhooks')} size="sm">
        {w.endpoints}
      </Anchor>
    </SettingsForm>
  );
}

function LatestAlerts({ environment }: { readonly environment: Environment }) {
  const w = useAlertWords();
  const { t, count } = useWords();
  const alerts = useOperation(['alerts', environment], 'listAlerts', { query: { environment, limit: SHOWN } });
  const what = ({ kind, name, subject, count: number }: AlertResponse) => {
    const detail = kind === 'exceptions_waiting' ? exceptionKind(subject) : name;
    return `${w.kinds[kind]}${detail === null ? '' : `: ${detail}`}${number > 1 ? ` (${count(number)})` : ''}`;
  };
  const exceptionKind = (subject: string) =>
    Object.hasOwn(t.kinds, subject) ? t.kinds[subject as keyof typeof t.kinds] : subject;
  const link = (alert: AlertResponse, isCard: boolean) => (
    <RowLink href={placeOf(environment, ...PLACES[alert.kind](alert.subject))} isCard={isCard}>
      {what(alert)}
    </RowLink>
  );
  const badge = ({ closedAt }: AlertResponse) => (
    <ToneBadge tone={closedAt === null ? 'warning' : 'good'}>{closedAt === null ? w.open : w.closed}</ToneBadge>
  );
  const mail = ({ mailedAt }: AlertResponse) => (mailedAt === null ? w.notMailed : <Ago at={mailedAt} />);
  return (
    <Stack gap="xs" mt="md">
      <Title order={3} size="h5">
        {w.latest}
      </Title>
      {alerts.data === undefined ? (
        <Pending query={alerts} />
      ) : alerts.data.data.length === 0 ? (
        <Text c="dimmed">{w.none}</Text>
      ) : (
        <TableOrCards
          items={alerts.data.data}
          columns={[
            { title: w.what, cell: (alert) => link(alert, false) },
            { title: w.status, cell: badge },
            { title: w.since, cell: ({ since }) => <Ago at={since} /> },
            { title: w.mailed, cell: mail },
          ]}
          card={(alert) => (
            <>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                {link(alert, true)}
                {badge(alert)}
              </Group>
              <Text size="sm" component="div">
                {w.since}: <Ago at={alert.since} />
              </Text>
            </>
          )}
        />
      )}
    </Stack>
  );
}
