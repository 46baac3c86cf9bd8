import { Group, Paper, Stack, Text } from '@mantine/core';
import type { SessionOfList } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { None } from '../parts/facts';
import { ActionButton, RowButton } from '../parts/action-button';
import { FormDialog } from '../parts/form-dialog';
import { Pending } from '../parts/page-states';
import { Ago, TableOrCards } from '../parts/table-or-cards';
import { ToneBadge } from '../parts/tone-badge';
import { Caption, Heading } from '../parts/typography';
import { useCall, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { browserName } from './browser-name';
import { usePeopleWords } from './words';

/** The sessions of the user, with a button to end unknown ones. */
export function Sessions({ onEnded }: { readonly onEnded: (message: string) => void }) {
  const { account: w } = usePeopleWords();
  const [chosen, setChosen] = useState<SessionOfList | 'others'>();
  const list = useOperation(['own-sessions'], 'listOwnSessions', {});
  const sessions = list.data?.data ?? [];
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Heading>{w.sessions}</Heading>
        {sessions.length > 1 ? (
          <ActionButton action={['endOtherSessions']} variant="default" onClick={() => setChosen('others')}>
            {w.endOthers}
          </ActionButton>
        ) : null}
      </Group>
      <Text c="dimmed" mb="sm">
        {w.sessionsText}
      </Text>
      {list.data === undefined ? <Pending query={list} /> : <SessionList sessions={sessions} onEnd={setChosen} />}
      {chosen === undefined ? null : (
        <EndDialog
          chosen={chosen}
          onClose={(message) => {
            setChosen(undefined);
            if (message !== undefined) onEnded(message);
          }}
        />
      )}
    </Paper>
  );
}

interface ListProps {
  readonly sessions: readonly SessionOfList[];
  readonly onEnd: (session: SessionOfList) => void;
}

function SessionList({ sessions, onEnd }: ListProps) {
  const words = usePeopleWords();
  const { account: w } = words;
  const { ago } = useWords();
  const browser = ({ userAgent, isCurrent }: SessionOfList) => (
    <Group gap="xs">
      <Text fw={600}>{browserName(userAgent) ?? w.unknownBrowser}</Text>
      {isCurrent ? <ToneBadge tone="good">{w.thisSession}</ToneBadge> : null}
    </Group>
  );
  const end = (session: SessionOfList) =>
    session.isCurrent ? null : (
      <RowButton action={['endOwnSession']} onClick={() => onEnd(session)}>
        {w.endOne}
      </RowButton>
    );
  return (
    <TableOrCards
      items={sessions}
      columns={[
        { title: w.browser, cell: browser },
        {
          title: w.address,
          cell: ({ address }) => (address === null ? <None /> : <span className="identifier">{address}</span>),
        },
        { title: w.began, cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: w.lastUsed, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
        { title: words.actionsTitle, cell: end },
      ]}
      card={(session) => (
        <Stack gap="xs">
          {browser(session)}
          <Caption>
            {session.address === null ? null : <span className="identifier">{session.address}</span>} · {w.began}:{' '}
            {ago(session.createdAt)} · {w.lastUsed}: {ago(session.lastUsedAt)}
          </Caption>
          {session.isCurrent ? null : <Group>{end(session)}</Group>}
        </Stack>
      )}
    />
  );
}

interface DialogProps {
  readonly chosen: SessionOfList | 'others';
  readonly onClose: (message?: string) => void;
}

function EndDialog({ chosen, onClose }: DialogProps) {
  const { account: w } = usePeopleWords();
  const { count } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: () =>
      chosen === 'others' ? call('endOtherSessions', {}) : call('endOwnSession', { params: { id: chosen.id } }),
    onSuccess: ({ endedSessions }) => {
      void queries.invalidateQueries({ queryKey: ['own-sessions'] });
      onClose(w.ended(count(endedSessions)));
    },
  });
  return (
    <FormDialog
      title={chosen === 'others' ? w.endOthers : `${w.endOne}: ${browserName(chosen.userAgent) ?? w.unknownBrowser}`}
      consequences={chosen === 'others' ? w.endOthersText : w.endOneText}
      submitText={chosen === 'others' ? w.endOthers : w.endOne}
      isDestructive
      action={apply}
      onClose={() => onClose()}
    />
  );
}
