import { intakeLock } from '@pay/persistence';

/** Held by every transaction that stores claims. */
export const { enter: enterIntake, isDone: intakeIsDone, holdWhile: holdIntakeWhile } = intakeLock(7367);
