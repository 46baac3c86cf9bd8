import type { TestCase } from '@pay/contracts';
import type { CasePlayer } from './case-player';

export interface TestCaseDefinition extends Omit<TestCase, 'key' | 'steps' | 'expected'> {
  readonly steps: readonly string[];
  readonly expected: readonly string[];
  readonly play: (player: CasePlayer) => Promise<void>;
}
