/** The tables that belong to the whole server, each with the reason. */
export const SERVER_TABLES: Readonly<Record<string, string>> = {
  attempt_windows: 'limits count networks and addresses in all organizations together',
  imports: 'unfinished imports reserve a subdomain, which is unique in the server',
  jobs: 'workers claim due jobs of all organizations, and of the server',
  kysely_migration: 'the schema is that of the server',
  kysely_migration_lock: 'the schema is that of the server',
  organizations: 'the server finds an organization by its subdomain, which is unique in the server',
  server_facts: 'facts of the database',
  server_processes: 'a process serves all organizations',
  storage_leftovers: 'keys of the file storage are recorded before a file has an organization',
};

export const isOfServer = (table: string) => Object.hasOwn(SERVER_TABLES, table);
