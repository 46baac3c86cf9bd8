import { Button, Flex, NativeSelect, Text } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { useLocation } from 'wouter';
import { useOperation, useSession, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { samePlaceIn } from '../parts/places';
import { Preferences } from '../parts/preferences';

interface MenuProps {
  readonly environment: Environment;
  readonly isStacked?: boolean;
}

/** The user, the merchants of the user, preferences and log-out. */
export function AccountMenu({ environment, isStacked = false }: MenuProps) {
  const session = useSession();
  const user = useUser();
  const { t } = useWords();
  const own = useOperation(['own-session'], 'getOwnSession', {});
  const merchants = own.data?.merchants ?? [user.merchant];
  const who = `${user.name} · ${t.roles[user.role]}`;
  const [location, navigate] = useLocation();
  const switchTo = async (merchantId: string) => {
    await session.switchMerchant(merchantId);
    // An object of the merchant before does not exist at this one.
    navigate(samePlaceIn(environment, location));
  };

  return (
    <Flex gap="sm" miw={0} direction={isStacked ? 'column' : 'row'} align={isStacked ? 'stretch' : 'center'}>
      {merchants.length > 1 ? (
        <NativeSelect
          size="sm"
          aria-label={t.session.merchant}
          value={user.merchant.id}
          maw={{ sm: 240 }}
          miw={0}
          onChange={(event) => void switchTo(event.currentTarget.value)}
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
