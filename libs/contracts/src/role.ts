/** Roles of dashboard users. OWNER has all permissions; VIEWER only reads. */
export const ROLES = ['OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];
