import { Button, Flex, NativeSelect, Text } from '@mantine/core';
import { useOperation, useSession, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { Preferences } from './preferences';

/** The user, the merchants of the user, preferences and log-out. */
export function AccountMenu({ isStacked = false }: { readonly isStacked?: boolean }) {
  const session = useSession();
  const user = useUser();
  const { t } = useWords();
  const own = useOperation(['own-session'], 'getOwnSession', {});
  const merchants = own.data?.merchants ?? [user.merchant];

  return (
    <Flex gap="sm" direction={isStacked ? 'column' : 'row'} align={isStacked ? 'stretch' : 'center'}>
      {merchants.length > 1 ? (
        <NativeSelect
          size="sm"
          aria-label={t.session.merchant}
          value={user.merchant.id}
          onChange={(event) => void session.switchMerchant(event.currentTarget.value)}
          data={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <Text size="sm" fw={600}>
          {user.merchant.name}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {user.name} · {t.roles[user.role]}
      </Text>
      <Preferences />
      <Button variant="default" size="sm" onClick={() => void session.logOut()}>
        {t.session.logOut}
      </Button>
    </Flex>
  );
}
