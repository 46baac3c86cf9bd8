import { Alert, Anchor, Text } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link } from 'wouter';
import { placeOf } from './places';
import { useWords } from '../text/language';

interface WrongEnvironmentProps {
  /** To which the object belongs. */
  readonly environment: Environment;
  readonly place: readonly string[];
}

/** Shown instead of an object of the other environment. */
export function WrongEnvironment({ environment, place }: WrongEnvironmentProps) {
  const { t } = useWords();
  return (
    <Alert color="yellow" role="alert">
      <Text>{t.environment.belongsTo(environment)}</Text>
      <Anchor component={Link} href={placeOf(environment, ...place)}>
        {t.environment.switchTo(environment)}
      </Anchor>
    </Alert>
  );
}
