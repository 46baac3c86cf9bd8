import type { TestCase } from '@pay/contracts';
import type { CasePlayer } from './case-player';

/** A test case: its description, and its steps through the public interfaces. */
export interface TestCaseDefinition extends Omit<TestCase, 'key' | 'steps' | 'expected'> {
  readonly steps: readonly string[];
  readonly expected: readonly string[];
  readonly play: (player: CasePlayer) => Promise<void>;
}
