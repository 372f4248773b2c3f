import type pg from 'pg';

/** Adds members to an organization with one statement, because requests would take minutes. Its events are missing, so no process may have it in memory. */
export async function addManyUsers(client: pg.Client, organizationId: number, count: number): Promise<void> {
  await client.query(
    `INSERT INTO users (organization_id, email, delivery_email, full_name, role)
     SELECT $1, 'n' || n || '@example.com', 'n' || n || '@example.com', 'N ' || n, 400 FROM generate_series(1, $2::int) n`,
    [organizationId, count],
  );
}
