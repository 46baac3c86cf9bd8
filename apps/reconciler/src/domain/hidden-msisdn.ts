/** A number with most digits hidden, for a file that is handed on: 018******78. One that came masked stays as it is. */
export function hiddenMsisdn(msisdn: string): string {
  return /^\d{6,}$/.test(msisdn) ? msisdn.slice(0, 3) + '*'.repeat(msisdn.length - 5) + msisdn.slice(-2) : msisdn;
}
