import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useRoute } from 'wouter';
import type { Environment } from '@pay/contracts';
import type { Permission } from '../api/operations';
import { useLiveUpdates } from '../live-updates/use-live-updates';
import { CONTENT, focusContent } from '../parts/focus-content';
import { Mark } from '../parts/mark';
import { NoPage, PageLoading } from '../parts/page-states';
import { SearchBox } from '../search/search-box';
import { useMay } from '../session/session-context';
import { useWords } from '../text/language';
import { AccountMenu } from './account-menu';
import { EnvironmentBand, EnvironmentSwitch } from './environment';
import { OfflineNotice } from './offline-notice';
import { PageBoundary } from './page-boundary';
import { ReleaseNotice } from './release-notice';
import { environmentOf, placeOf, START_PAGE } from '../parts/places';

const SearchPage = lazy(() => import('../search/search-page'));
const FirstHourPage = lazy(() => import('../first-hour/first-hour-page'));
const OverviewPage = lazy(() => import('../overview/overview-page'));
const ExceptionsPage = lazy(() => import('../exceptions/exceptions-page'));
const PaymentsPage = lazy(() => import('../payments/payments-page'));
const PaymentPage = lazy(() => import('../payments/payment-page'));
const DevicesPage = lazy(() => import('../devices/devices-page'));
const ApiKeysPage = lazy(() => import('../api-keys/api-keys-page'));
const WebhooksSection = lazy(() => import('../webhooks/webhooks-section'));
const TestingSection = lazy(() => import('../testing/testing-section'));
const PeopleSection = lazy(() => import('../people/people-section'));
const SettingsPage = lazy(() => import('../settings/settings-page'));
const ReceiversPage = lazy(() => import('../receivers/receivers-page'));
const SmsSection = lazy(() => import('../sms/sms-section'));
const ExceptionPage = lazy(() => import('../exceptions/exception-page'));

interface Section {
  readonly name:
    | 'overview'
    | 'first-hour'
    | 'exceptions'
    | 'payments'
    | 'sms'
    | 'devices'
    | 'receivers'
    | 'api-keys'
    | 'webhooks'
    | 'testing'
    | 'people'
    | 'settings';
  /** Users who may call this operation see the section, in both environments. */
  readonly permission: Permission;
}
const SECTIONS: readonly Section[] = [
  { name: 'overview', permission: ['getPaymentStatistics'] },
  { name: 'first-hour', permission: ['runTestCase', 'SANDBOX'] },
  { name: 'exceptions', permission: ['listExceptions'] },
  { name: 'payments', permission: ['listPayments'] },
  { name: 'sms', permission: ['listSmsEvents'] },
  { name: 'devices', permission: ['listDevices'] },
  { name: 'receivers', permission: ['listReceiverAccounts'] },
  { name: 'api-keys', permission: ['listApiKeys'] },
  { name: 'webhooks', permission: ['listEndpoints'] },
  { name: 'testing', permission: ['listTestCases', 'SANDBOX'] },
  { name: 'people', permission: ['listUsers'] },
  { name: 'settings', permission: ['getMerchant'] },
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
  const [location] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  useLiveUpdates(environment);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    close();
    // The link that was followed is often gone, and with it the place from which Tab continues.
    focusContent();
  }, [location, close]);

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
            <AccountMenu environment={environment} />
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
          <AccountMenu environment={environment} isStacked />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT} tabIndex={-1}>
        <OfflineNotice />
        <ReleaseNotice />
        <PageBoundary place={location}>
          <Suspense fallback={<PageLoading />}>
            <Switch>
              <Route path="/:environment">
                <Redirect to={placeOf(environment, START_PAGE)} replace />
              </Route>
              <Route path="/:environment/search">
                <SearchPage environment={environment} />
              </Route>
              <Route path="/:environment/overview">
                <OverviewPage key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/first-hour">
                <FirstHourPage key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/exceptions">
                <ExceptionsPage environment={environment} />
              </Route>
              <Route path="/:environment/exceptions/:id">
                {({ id }) => <ExceptionPage key={id} environment={environment} id={id} />}
              </Route>
              <Route path="/:environment/devices">
                <DevicesPage key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/webhooks/*?">
                <WebhooksSection key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/testing/*?">
                <TestingSection environment={environment} />
              </Route>
              <Route path="/:environment/people/*?">
                <PeopleSection environment={environment} />
              </Route>
              <Route path="/:environment/settings">
                <SettingsPage environment={environment} />
              </Route>
              <Route path="/:environment/sms/*?">
                <SmsSection key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/receivers">
                <ReceiversPage key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/api-keys">
                <ApiKeysPage key={environment} environment={environment} />
              </Route>
              <Route path="/:environment/payments">
                <PaymentsPage environment={environment} />
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
