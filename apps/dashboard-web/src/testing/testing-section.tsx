import { Anchor, Group } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link } from 'wouter';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { placeOf } from '../parts/places';
import { SectionPages } from '../parts/section-pages';
import { ClockPage } from './clock-page';
import { RunPage } from './run-page';
import { SimulatorPage } from './simulator-page';
import { TestCasesPage } from './test-cases-page';
import { TestEndpointPage } from './test-endpoint-page';
import { useTestingWords } from './words';

/** Simulator, test cases, hosted test endpoint and test clock. */
export default function TestingSection({ environment }: { readonly environment: Environment }) {
  const w = useTestingWords();
  if (environment === 'LIVE') {
    return (
      <>
        <PageHead title={w.title} />
        <Message title={w.onlySandbox}>{w.onlySandboxText}</Message>
        <Group justify="center">
          <Anchor component={Link} href={placeOf('SANDBOX', 'testing')}>
            SANDBOX
          </Anchor>
        </Group>
      </>
    );
  }
  return (
    <SectionPages
      environment={environment}
      name="testing"
      label={w.tabs.label}
      pages={[
        { tab: w.tabs.simulator, page: () => <SimulatorPage /> },
        { path: 'cases', tab: w.tabs.cases, page: () => <TestCasesPage /> },
        { path: 'cases/:id', page: (id) => <RunPage key={id} id={id} /> },
        { path: 'endpoint', tab: w.tabs.endpoint, page: () => <TestEndpointPage /> },
        { path: 'clock', tab: w.tabs.clock, page: () => <ClockPage /> },
      ]}
    />
  );
}
