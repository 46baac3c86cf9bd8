import { Group, List, Stack, Text } from '@mantine/core';
import type { Role, UserResponse } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { SectionTabs } from '../parts/section-pages';
import { TableOrCards } from '../parts/table-or-cards';
import { ToneBadge } from '../parts/tone-badge';
import { Caption, Heading } from '../parts/typography';
import { useCall, useMay, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { Invitations } from './invitations';
import { InviteDialog, PersonDialog } from './person-dialogs';
import { OPERATION_OF, usePeopleWords, type PersonAction } from './words';

interface Chosen {
  readonly action: PersonAction;
  readonly person: UserResponse;
}

/** The people of the merchant with their roles, and invitations. */
export function PeoplePage() {
  const w = usePeopleWords();
  const { t } = useWords();
  const call = useCall();
  const may = useMay();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const [isInviting, setInviting] = useState(false);
  const list = useKeysetList(['users', 'pages'], async ({ after }, signal) =>
    asKeysetPage(await call('listUsers', { query: { limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
  );
  const close = () => {
    setChosen(undefined);
    setInviting(false);
    void queries.invalidateQueries({ queryKey: ['users'] });
    void queries.invalidateQueries({ queryKey: ['invitations'] });
  };
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ActionButton action={['createInvitation']} onClick={() => setInviting(true)}>
          {w.invite}
        </ActionButton>
      </PageHead>
      <SectionTabs />
      <Stack gap="lg">
        <KeysetList list={list} empty={null}>
          {(people) => <People people={people} onAction={(action, person) => setChosen({ action, person })} />}
        </KeysetList>
        {may('listInvitations') ? <Invitations /> : null}
        <section>
          <Heading mb="sm">{w.rolesTitle}</Heading>
          <List listStyleType="none" spacing={4}>
            {(Object.keys(w.roleTexts) as Role[]).map((role) => (
              <List.Item key={role}>
                <Text span fw={600}>
                  {t.roles[role]}:
                </Text>{' '}
                {w.roleTexts[role]}
              </List.Item>
            ))}
          </List>
        </section>
      </Stack>
      {chosen === undefined ? null : <PersonDialog action={chosen.action} person={chosen.person} onClose={close} />}
      {isInviting ? <InviteDialog onClose={close} /> : null}
    </>
  );
}

interface PeopleProps {
  readonly people: readonly UserResponse[];
  readonly onAction: (action: PersonAction, person: UserResponse) => void;
}

function People({ people, onAction }: PeopleProps) {
  const w = usePeopleWords();
  const { t } = useWords();
  const may = useMay();
  const user = useUser();
  const isOpenTo = (person: UserResponse) =>
    person.id !== user.id && (user.role === 'OWNER' || person.role !== 'OWNER');
  const name = (person: UserResponse) => (
    <>
      <Text fw={600}>
        {person.name}
        {person.id === user.id ? ` (${w.you})` : ''}
      </Text>
      <Caption className="identifier">{person.email}</Caption>
    </>
  );
  const state = (person: UserResponse) => (
    <Group gap="xs">
      <ToneBadge tone="neutral">{t.roles[person.role]}</ToneBadge>
      {person.isActive ? null : <ToneBadge tone="bad">{w.inactive}</ToneBadge>}
    </Group>
  );
  const actions = (person: UserResponse) =>
    isOpenTo(person) ? (
      <Group gap="xs">
        {(person.isActive ? (['change', 'deactivate'] as const) : (['reactivate'] as const)).map((action) => (
          <RowButton key={action} action={[OPERATION_OF[action]]} onClick={() => onAction(action, person)}>
            {w.actions[action]}
          </RowButton>
        ))}
      </Group>
    ) : null;
  return (
    <TableOrCards
      items={people}
      columns={[
        { title: w.name, cell: name },
        { title: w.role, cell: state },
        ...(may('changeUser') ? [{ title: w.actionsTitle, cell: actions }] : []),
      ]}
      card={(person) => (
        <Stack gap="xs">
          <div>{name(person)}</div>
          {state(person)}
          {actions(person)}
        </Stack>
      )}
    />
  );
}
