import { Button, Flex, NativeSelect, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useOperation, useSession, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { Preferences } from '../parts/preferences';

interface MenuProps {
  /** The switch to another merchant. */
  readonly switching: UseMutationResult<void, Error, string>;
  readonly isStacked?: boolean;
}

/** The user, the merchants of the user, preferences and log-out. */
export function AccountMenu({ switching, isStacked = false }: MenuProps) {
  const session = useSession();
  const user = useUser();
  const { t } = useWords();
  const own = useOperation(['own-session'], 'getOwnSession', {});
  const merchants = own.data?.merchants ?? [user.merchant];
  const who = `${user.name} · ${t.roles[user.role]}`;

  return (
    <Flex gap="sm" miw={0} direction={isStacked ? 'column' : 'row'} align={isStacked ? 'stretch' : 'center'}>
      {merchants.length > 1 ? (
        <NativeSelect
          size="sm"
          aria-label={t.session.merchant}
          value={switching.isPending ? switching.variables : user.merchant.id}
          disabled={switching.isPending}
          loading={switching.isPending}
          maw={{ sm: 240 }}
          miw={0}
          onChange={(event) => switching.mutate(event.currentTarget.value)}
          data={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <Text size="sm" fw={600} maw={{ sm: 240 }} truncate title={user.merchant.name}>
          {user.merchant.name}
        </Text>
      )}
      <Text size="sm" c="dimmed" truncate title={who}>
        {who}
      </Text>
      <Preferences />
      <Button variant="default" size="sm" onClick={() => void session.logOut()}>
        {t.session.logOut}
      </Button>
    </Flex>
  );
}
