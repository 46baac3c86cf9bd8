import { Button, Group } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link, useLocation } from 'wouter';
import { useWords } from '../text/language';
import { ENVIRONMENTS, samePlaceIn } from '../parts/places';

/** Always visible above everything else: whose data this page shows. */
export function EnvironmentBand({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const { environment: words } = t;
  return (
    <div className="environment-band" data-environment={environment}>
      {words[environment]} · {environment === 'SANDBOX' ? words.sandboxNotice : words.liveNotice}
    </div>
  );
}

export function EnvironmentSwitch({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const [location] = useLocation();
  return (
    <Group component="nav" gap={4} wrap="nowrap" flex="none" aria-label={t.environment.label}>
      {ENVIRONMENTS.map((each) => (
        <Button
          key={each}
          component={Link}
          href={samePlaceIn(each, location)}
          size="sm"
          px="sm"
          variant={each === environment ? 'filled' : 'default'}
          color={each === 'LIVE' ? '#145a32' : '#8a4b00'}
          {...(each === environment ? { 'aria-current': 'true' as const } : {})}
        >
          {t.environment[each]}
        </Button>
      ))}
    </Group>
  );
}
