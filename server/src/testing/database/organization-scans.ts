/** Reads from PostgreSQL's plan of a statement which organizations it can touch. */
import pg from 'pg';
import type { ConnectionSettings } from '../../db/connection-settings.ts';
import type { RecordedStatement } from './recorded-statements.ts';
import { isOfServer } from './server-tables.ts';

/** A node of a plan in JSON, with the name of each column's table. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Operation?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** Parameters of the statement, such as `$1`, and columns of other tables in the plan, such as `m.organization_id`. */
type Organizations = readonly string[];

/** Plans statements without running them, and without looking at their parameters. */
export class StatementPlanner {
  readonly #client: pg.Client;

  constructor(connection: ConnectionSettings) {
    this.#client = new pg.Client(connection);
  }

  async open(): Promise<void> {
    await this.#client.connect();
    await this.#client.query('SET plan_cache_mode = force_generic_plan');
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async plan(text: string): Promise<PlanNode> {
    await this.#client.query(`PREPARE planned AS ${text}`);
    try {
      const { rows } = await this.#client.query<{ count: number }>(
        `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'planned'`,
      );
      const given = Array.from({ length: rows[0]?.count ?? 0 }, () => 'NULL').join(', ');
      const { rows: plans } = await this.#client.query(
        `EXPLAIN (FORMAT JSON, VERBOSE) EXECUTE planned ${given === '' ? '' : `(${given})`}`,
      );
      return plans[0]['QUERY PLAN'][0].Plan;
    } finally {
      await this.#client.query('DEALLOCATE planned');
    }
  }
}

/** Statements without tables of ours. */
export const WITHOUT_TABLES = /^(begin|start transaction|commit|rollback|set|reset)\b/i;

/**
 * The parts of the statement that do not name their organization, or another one than the rest of it. An empty list means that each execution
 * touched one organization. Functions of the database, such as triggers, are not examined.
 */
export function strayParts({ text, executions }: RecordedStatement, plan: PlanNode): readonly string[] {
  const stray: string[] = [];
  const parameters = new Set<number>();
  const bound = new Set<string>();
  const references: { readonly part: string; readonly alias: string }[] = [];
  function note(part: string, organizations: Organizations): void {
    if (organizations.length === 0) stray.push(part);
    for (const organization of organizations) {
      const [, parameter] = /^\$(\d+)$/.exec(organization) ?? [];
      if (parameter === undefined) references.push({ part, alias: organization.replace(/\.\w+$/, '') });
      else parameters.add(Number(parameter));
    }
  }
  for (const node of nodesOf(plan)) {
    const { 'Relation Name': table, Alias: alias = '', 'Node Type': type, Operation: operation } = node;
    if (table === undefined || (table !== 'organizations' && isOfServer(table))) continue;
    if (type !== 'ModifyTable') {
      bound.add(alias);
      note(`${type} of ${table}: ${conditionsOf(node).join(' and ') || 'everything'}`, organizationsOfScan(node));
    } else if (operation === 'Insert' && table !== 'organizations') {
      note(`insert into ${table}`, organizationsOfInsert(text, node));
    }
  }
  for (const { part, alias } of references) if (!bound.has(alias)) stray.push(`${part}: ${alias} is no table`);
  for (const values of executions) {
    const organizations = new Set([...parameters].map((parameter) => Number(values[parameter - 1])));
    if (organizations.size > 1) stray.push(`executed for the organizations ${[...organizations].join(', ')}`);
  }
  return [...new Set(stray)];
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function conditionsOf(node: PlanNode): readonly string[] {
  return [node['Index Cond'], node['Recheck Cond'], node.Filter].filter((condition) => condition !== undefined);
}

function organizationsOfScan(node: PlanNode): Organizations {
  const column = node['Relation Name'] === 'organizations' ? 'id' : 'organization_id';
  return conditionsOf(node).flatMap((condition) => organizationsIn(condition, `${node.Alias}.${column}`));
}

/** The organizations to which the condition restricts this column. An empty list means that it does not. */
function organizationsIn(condition: string, column: string): Organizations {
  const inner = withoutParentheses(condition);
  const branches = partsOf(inner, ' OR ');
  if (branches.length > 1) {
    const found = branches.map((branch) => organizationsIn(branch, column));
    return found.some((organizations) => organizations.length === 0) ? [] : found.flat();
  }
  const conjuncts = partsOf(inner, ' AND ');
  if (conjuncts.length > 1) return conjuncts.flatMap((conjunct) => organizationsIn(conjunct, column));
  const sides = inner.split(' = ').map(withoutParentheses);
  const [other] = sides.filter((side) => side !== column);
  if (sides.length !== 2 || !sides.includes(column) || other === undefined) return [];
  return /^(\$\d+|("[^"]+"|\w+)\.(organization_id|id))$/.test(other) ? [other] : [];
}

/** Divides at separators that are neither in parentheses nor in quotation marks. */
function partsOf(condition: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let index = 0; index < condition.length; index += 1) {
    const character = condition[index];
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    if (depth !== 0 || !condition.startsWith(separator, index)) continue;
    parts.push(condition.slice(from, index));
    from = index + separator.length;
  }
  return [...parts, condition.slice(from)];
}

/** The length of the text in parentheses with which this text begins, with the parentheses; 0 if it begins with something else. */
function lengthInParentheses(text: string): number {
  if (!text.startsWith('(')) return 0;
  let depth = 0;
  let isQuoted = false;
  for (const [index, character] of [...text].entries()) {
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return 0;
}

function withoutParentheses(text: string): string {
  return text !== '' && lengthInParentheses(text) === text.length ? withoutParentheses(text.slice(1, -1)) : text;
}

/** All our tables have the organization as their first column. */
function organizationsOfInsert(text: string, insert: PlanNode): Organizations {
  const source = insert.Plans?.find((node) => node['Parent Relationship'] === 'Outer') ?? insert.Plans?.[0];
  return source === undefined ? [] : firstOutputOf(text, source, insert['Relation Name'] ?? '');
}

function firstOutputOf(text: string, source: PlanNode, table: string): Organizations {
  const first = withoutParentheses(source.Output?.[0] ?? '');
  if (first.startsWith('"*VALUES*')) return organizationsOfValues(text, table);
  const [child] = source.Plans ?? [];
  if (first.startsWith('"*SELECT*') && child !== undefined) return firstOutputOf(text, child, table);
  return /^(\$\d+|("[^"]+"|\w+)\.organization_id)$/.test(first) ? [first] : [];
}

/** The plan of an insert of several rows does not name their parameters. */
function organizationsOfValues(text: string, table: string): Organizations {
  const [, columns = '', rows = ''] =
    new RegExp(`insert into "?${table}"? \\(([^)]*)\\)\\s*values (.*)`, 'is').exec(text) ?? [];
  const place = columns.split(',').findIndex((name) => name.trim().replaceAll('"', '') === 'organization_id');
  if (place === -1) return [];
  const found: string[] = [];
  let rest = rows;
  for (let length = lengthInParentheses(rest); length > 0; length = lengthInParentheses(rest)) {
    const value = partsOf(rest.slice(1, length - 1), ', ')[place] ?? '';
    if (!/^\$\d+$/.test(value)) return [];
    found.push(value);
    rest = rest.slice(length).replace(/^,\s*/, '');
  }
  return found;
}
