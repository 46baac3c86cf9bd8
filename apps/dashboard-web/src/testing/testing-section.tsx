import { Anchor, Group } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link, Route, Switch } from 'wouter';
import { PageHead } from '../parts/page-head';
import { Message, NoPage } from '../parts/page-states';
import { placeOf } from '../parts/places';
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
    <Switch>
      <Route path="/:environment/testing">
        <SimulatorPage />
      </Route>
      <Route path="/:environment/testing/cases">
        <TestCasesPage />
      </Route>
      <Route path="/:environment/testing/cases/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
      <Route path="/:environment/testing/endpoint">
        <TestEndpointPage />
      </Route>
      <Route path="/:environment/testing/clock">
        <ClockPage />
      </Route>
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
