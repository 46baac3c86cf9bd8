import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { placeOf } from '../parts/places';
import type { liveProgress, LiveStep } from './progress';
import { Step } from './step';
import { useFirstHourWords } from './words';

/** In the order in which they are best done, with the page of each. */
const STEPS: readonly { readonly name: LiveStep; readonly place: string }[] = [
  { name: 'testCases', place: placeOf('SANDBOX', 'testing', 'cases') },
  { name: 'secondFactor', place: placeOf('LIVE', 'people', 'account') },
  { name: 'support', place: placeOf('LIVE', 'settings') },
  { name: 'receiver', place: placeOf('LIVE', 'receivers') },
  { name: 'phone', place: placeOf('LIVE', 'devices') },
  { name: 'apiKey', place: placeOf('LIVE', 'api-keys') },
  { name: 'endpoint', place: placeOf('LIVE', 'webhooks') },
  { name: 'keyUsed', place: placeOf('LIVE', 'api-keys') },
  { name: 'paid', place: placeOf('LIVE', 'payments') },
];

/** What must hold before and after the first payment with real money. */
export function LiveSteps({ progress }: { readonly progress: ReturnType<typeof liveProgress> }) {
  const { live: w } = useFirstHourWords();
  return (
    <ol className="card-list">
      {STEPS.map(({ name, place }) => (
        <Step key={name} name={name} {...w[name]} isDone={progress[name]}>
          <Anchor component={Link} href={place} py={8}>
            {w[name].link}
          </Anchor>
        </Step>
      ))}
    </ol>
  );
}
