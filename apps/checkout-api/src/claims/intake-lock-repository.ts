import { intakeLock } from '@pay/persistence';

/** Every transaction that stores claims holds this lock. */
export const { enter: enterIntake, isDone: intakeIsDone, holdWhile: holdIntakeWhile } = intakeLock(7367);
