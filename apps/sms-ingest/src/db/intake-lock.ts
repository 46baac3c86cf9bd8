import { intakeLock } from '@pay/persistence';

/** Held by every transaction that stores SMS. */
export const { enter: enterIntake, isDone: intakeIsDone } = intakeLock(7366);
