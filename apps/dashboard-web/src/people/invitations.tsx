import { Group, Stack, Text } from '@mantine/core';
import type { InvitationResponse } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RowButton } from '../parts/action-button';
import { Time } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { TableOrCards } from '../parts/table-or-cards';
import { ToneBadge } from '../parts/tone-badge';
import { Caption, Heading } from '../parts/typography';
import { useCall, useMay } from '../session/session-context';
import { useWords } from '../text/language';
import { usePeopleWords } from './words';

/** Open and past invitations. */
export function Invitations() {
  const w = usePeopleWords();
  const { t } = useWords();
  const call = useCall();
  const may = useMay();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<InvitationResponse>();
  const list = useKeysetList(['invitations'], async ({ after }, signal) =>
    asKeysetPage(await call('listInvitations', { query: { limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
  );
  const revoke = useMutation({
    mutationFn: (id: string) => call('revokeInvitation', { params: { id } }),
    onSuccess: () => {
      setChosen(undefined);
      void queries.invalidateQueries({ queryKey: ['invitations'] });
    },
  });
  const person = ({ name, email }: InvitationResponse) => (
    <>
      <Text fw={600}>{name}</Text>
      <Caption className="identifier">{email}</Caption>
    </>
  );
  const state = ({ status }: InvitationResponse) => (
    <ToneBadge tone={status === 'PENDING' ? 'warning' : 'neutral'}>{w.states[status]}</ToneBadge>
  );
  const revokeButton = (invitation: InvitationResponse) =>
    invitation.status === 'PENDING' ? (
      <RowButton action={['revokeInvitation']} onClick={() => setChosen(invitation)}>
        {w.revoke}
      </RowButton>
    ) : null;
  return (
    <section>
      <Heading mb="sm">{w.invitations}</Heading>
      <KeysetList list={list} empty={<Text c="dimmed">{w.noInvitations}</Text>}>
        {(invitations) => (
          <TableOrCards
            items={invitations}
            columns={[
              { title: w.name, cell: person },
              { title: w.role, cell: ({ role }) => t.roles[role] },
              { title: w.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              { title: w.state, cell: state },
              ...(may('revokeInvitation') ? [{ title: w.actionsTitle, cell: revokeButton }] : []),
            ]}
            card={(invitation) => (
              <Stack gap="xs">
                <div>{person(invitation)}</div>
                <Caption>
                  {t.roles[invitation.role]} · {w.expires}: <Time at={invitation.expiresAt} />
                </Caption>
                <Group justify="space-between">
                  {state(invitation)}
                  {revokeButton(invitation)}
                </Group>
              </Stack>
            )}
          />
        )}
      </KeysetList>
      {chosen === undefined ? null : (
        <FormDialog
          title={`${w.revoke}: ${chosen.email}`}
          consequences={w.revokeText}
          submitText={w.revoke}
          isDestructive
          action={revoke}
          onSubmit={() => revoke.mutateAsync(chosen.id)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}
