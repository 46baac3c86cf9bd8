import { TEST_CASE_KEYS, type Language, type TestCase, type TestCaseKey } from '@pay/contracts';
import { BANGLA_TEXTS } from './bangla-texts';
import { OUTCOME_CASES } from './cases/outcome-cases';
import { PAYMENT_CASES } from './cases/payment-cases';
import { SHOP_CASES } from './cases/shop-cases';
import { ENDPOINT_CASES } from './cases/endpoint-cases';
import type { TestCaseDefinition } from './test-case';

export const TEST_CASES: Readonly<Record<TestCaseKey, TestCaseDefinition>> = {
  ...PAYMENT_CASES,
  ...OUTCOME_CASES,
  ...ENDPOINT_CASES,
  ...SHOP_CASES,
};

export function describeTestCases(language: Language): TestCase[] {
  return TEST_CASE_KEYS.map((key) => {
    const { title, purpose, steps, expected } = language === 'bn' ? BANGLA_TEXTS[key] : TEST_CASES[key];
    return { key, title, purpose, steps: [...steps], expected: [...expected] };
  });
}
