/** A masked number for the evidence file: 018******78. A number that is masked in the text is not changed. */
export function hiddenMsisdn(msisdn: string): string {
  return /^\d{6,}$/.test(msisdn) ? msisdn.slice(0, 3) + '*'.repeat(msisdn.length - 5) + msisdn.slice(-2) : msisdn;
}
