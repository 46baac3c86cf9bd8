/** What a person may do in the dashboard. OWNER may do everything; VIEWER only looks. */
export const ROLES = ['OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];
