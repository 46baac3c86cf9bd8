import { Anchor, Text } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageHead } from '../parts/page-head';
import { PageFailure, PageLoading, SuccessAlert } from '../parts/page-states';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { LiveSteps } from './live-steps';
import { liveProgress, sandboxProgress } from './progress';
import { SandboxSteps } from './sandbox-steps';
import { useEnvironmentFacts, useLiveFacts, type Found } from './use-facts';
import { useFirstHourWords } from './words';

/** From an empty merchant to a paid order in SANDBOX, and from there to the first payment with real money. */
export default function FirstHourPage({ environment }: { readonly environment: Environment }) {
  return environment === 'SANDBOX' ? <Sandbox /> : <Live />;
}

function Sandbox() {
  const w = useFirstHourWords();
  const found = useEnvironmentFacts('SANDBOX');
  const progress = sandboxProgress(found.facts);
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <Body found={found} progress={progress}>
        <SandboxSteps progress={progress} />
        {progress.paid === true ? (
          <SuccessAlert>
            {w.sandboxDone}{' '}
            <Anchor component={Link} href={placeOf('LIVE', 'first-hour')} c="inherit" inherit underline="always">
              {w.toLive}
            </Anchor>
          </SuccessAlert>
        ) : null}
      </Body>
    </>
  );
}

function Live() {
  const w = useFirstHourWords();
  const found = useLiveFacts();
  const progress = liveProgress(found.facts);
  return (
    <>
      <PageHead title={w.liveTitle} subtitle={w.liveSubtitle} />
      <Body found={found} progress={progress}>
        <LiveSteps progress={progress} />
      </Body>
    </>
  );
}

interface BodyProps {
  readonly found: Found<unknown>;
  readonly progress: Readonly<Record<string, boolean | undefined>>;
  readonly children: ReactNode;
}

function Body({ found: { failed, isPending }, progress, children }: BodyProps) {
  const w = useFirstHourWords();
  const { count } = useWords();
  if (isPending) return <PageLoading />;
  if (failed !== undefined) return <PageFailure error={failed.error} retry={() => void failed.refetch()} />;
  const states = Object.values(progress);
  const done = states.filter((isDone) => isDone === true).length;
  return (
    <>
      <Text mb={4} id="first-hour-progress" role="status">
        {w.progress(count(done), count(states.length))}
      </Text>
      <progress aria-labelledby="first-hour-progress" value={done} max={states.length} className="wide" />
      {children}
    </>
  );
}
