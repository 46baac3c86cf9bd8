import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useRoute } from 'wouter';
import type { Environment } from '@pay/contracts';
import type { Permission } from '../api/operations';
import { useLiveUpdates } from '../live-updates/use-live-updates';
import { CONTENT, focusContent } from '../parts/focus-content';
import { Mark } from '../parts/mark';
import { FailureAlert, NoPage, PageLoading } from '../parts/page-states';
import { SearchBox } from '../search/search-box';
import { useMay, useSession } from '../session/session-context';
import type { Dictionary } from '../text/words';
import { useWords } from '../text/language';
import { AccountMenu } from './account-menu';
import { EnvironmentBand, EnvironmentSwitch } from './environment';
import { OfflineNotice } from './offline-notice';
import { PageBoundary } from './page-boundary';
import { ReleaseNotice } from './release-notice';
import { environmentOf, placeOf, samePlaceIn, START_PAGE } from '../parts/places';

const SearchPage = lazy(() => import('../search/search-page'));
const PaymentPage = lazy(() => import('../payments/payment-page'));
const ExceptionPage = lazy(() => import('../exceptions/exception-page'));

interface SectionOptions {
  /** The page shows further pages below its address. */
  readonly hasPages?: true;
  /** The page keeps its state when the environment is switched. */
  readonly keepsState?: true;
}

/** Users who may call the operation see the section, in both environments. */
function section(
  name: keyof Dictionary['nav'],
  permission: Permission,
  load: () => Promise<{ default: ComponentType<{ readonly environment: Environment }> }>,
  { hasPages, keepsState }: SectionOptions = {},
) {
  return { name, permission, path: `/:environment/${name}${hasPages ? '/*?' : ''}`, keepsState, page: lazy(load) };
}

/** In the order of the navigation. */
const SECTIONS = [
  section('overview', ['getPaymentStatistics'], () => import('../overview/overview-page')),
  section('first-hour', ['runTestCase', 'SANDBOX'], () => import('../first-hour/first-hour-page')),
  section('exceptions', ['listExceptions'], () => import('../exceptions/exceptions-page'), { keepsState: true }),
  section('payments', ['listPayments'], () => import('../payments/payments-page'), { keepsState: true }),
  section('sms', ['listSmsEvents'], () => import('../sms/sms-section'), { hasPages: true }),
  section('devices', ['listDevices'], () => import('../devices/devices-page')),
  section('receivers', ['listReceiverAccounts'], () => import('../receivers/receivers-page')),
  section('api-keys', ['listApiKeys'], () => import('../api-keys/api-keys-page')),
  section('webhooks', ['listEndpoints'], () => import('../webhooks/webhooks-section'), { hasPages: true }),
  section('testing', ['listTestCases', 'SANDBOX'], () => import('../testing/testing-section'), {
    hasPages: true,
    keepsState: true,
  }),
  section('people', ['listUsers'], () => import('../people/people-section'), { hasPages: true, keepsState: true }),
  section('settings', ['getMerchant'], () => import('../settings/settings-page'), { keepsState: true }),
];

/** Header, navigation and the page of the address. */
export function Shell() {
  const [, params] = useRoute('/:environment/*?');
  const environment = environmentOf(params?.environment);
  if (environment === undefined) return <Redirect to={placeOf('SANDBOX', START_PAGE)} replace />;
  return <Frame environment={environment} />;
}

function Frame({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const may = useMay();
  const session = useSession();
  const [location, navigate] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const switching = useMutation({
    mutationFn: async (merchantId: string) => {
      await session.switchMerchant(merchantId);
      // An object of the merchant before does not exist at this one.
      navigate(samePlaceIn(environment, location));
    },
    // The menu of a small screen covers the failure.
    onError: close,
  });
  const { reset: forgetFailure } = switching;
  useLiveUpdates(environment);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    close();
    forgetFailure();
    // The link that was followed is often gone, and with it the place from which Tab continues.
    focusContent();
  }, [location, close, forgetFailure]);

  return (
    <AppShell
      header={{ height: 84 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href={`#${CONTENT}`}>
        {t.nav.skip}
      </a>
      <AppShell.Header>
        <EnvironmentBand environment={environment} />
        <Group h={56} px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" flex="none">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.nav.open}
              aria-expanded={isOpen}
            />
            <Mark />
            <Text fw={600} visibleFrom="md">
              {t.product}
            </Text>
          </Group>
          <EnvironmentSwitch environment={environment} />
          <Group visibleFrom="sm" wrap="nowrap" miw={0}>
            <AccountMenu switching={switching} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t.nav.label} className="navigation">
        <AppShell.Section grow>
          {may('searchPayments') ? <SearchBox environment={environment} /> : null}
          {SECTIONS.filter(({ permission }) => may(...permission)).map(({ name, permission }) => {
            const place = placeOf(environment, name);
            return (
              <NavLink
                key={name}
                component={Link}
                href={place}
                label={t.nav[name]}
                data-operation={permission[0]}
                active={location.startsWith(place)}
                {...(location.startsWith(place) ? { 'aria-current': 'page' as const } : {})}
              />
            );
          })}
        </AppShell.Section>
        <AppShell.Section hiddenFrom="sm">
          <AccountMenu switching={switching} isStacked />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT} tabIndex={-1}>
        <OfflineNotice />
        <ReleaseNotice />
        <FailureAlert error={switching.error} mb="sm" />
        <PageBoundary place={location}>
          <Suspense fallback={<PageLoading />}>
            <Switch>
              <Route path="/:environment">
                <Redirect to={placeOf(environment, START_PAGE)} replace />
              </Route>
              <Route path="/:environment/search">
                <SearchPage environment={environment} />
              </Route>
              {SECTIONS.map(({ name, path, page: Page, keepsState }) => (
                <Route key={name} path={path}>
                  <Page key={keepsState ? name : environment} environment={environment} />
                </Route>
              ))}
              <Route path="/:environment/exceptions/:id">
                {({ id }) => <ExceptionPage key={id} environment={environment} id={id} />}
              </Route>
              <Route path="/:environment/payments/:id">
                {({ id }) => <PaymentPage key={id} environment={environment} id={id} />}
              </Route>
              <Route>
                <NoPage />
              </Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </AppShell.Main>
    </AppShell>
  );
}
