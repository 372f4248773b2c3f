import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseHosts } from './database-url.ts';

const hostsOf = (url: string) => databaseHosts(url)?.map((host) => [host.name, host.url]);

test('a URL with one host stays as it is', () => {
  for (const url of [
    'postgres://u:p@a/d',
    'postgresql:///d?host=/run/x&user=u',
    'postgresql://[::1]:5433/d?sslmode=require',
  ])
    assert.deepEqual(
      databaseHosts(url)?.map((host) => host.url),
      [url],
    );
  assert.deepEqual(hostsOf('postgresql://u:p@a/d'), [['a:5432', 'postgresql://u:p@a/d']]);
  assert.deepEqual(hostsOf('postgresql:///d?host=/run/x'), [['/run/x:5432', 'postgresql:///d?host=/run/x']]);
});

test('a URL with several hosts is one URL for each, with the same user, database and parameters', () => {
  assert.deepEqual(hostsOf('postgresql://u:p%40,@a:1,b,[::1]:3/d?target_session_attrs=read-write&sslmode=require'), [
    ['a:1', 'postgresql://u:p%40,@a:1/d?target_session_attrs=read-write&sslmode=require'],
    ['b:5432', 'postgresql://u:p%40,@b/d?target_session_attrs=read-write&sslmode=require'],
    ['[::1]:3', 'postgresql://u:p%40,@[::1]:3/d?target_session_attrs=read-write&sslmode=require'],
  ]);
});

test('hosts can be parameters, with one port for all or one for each', () => {
  const sockets = 'postgresql:///d?host=/run/a,/run/b';
  assert.deepEqual(
    hostsOf(`${sockets}&port=1,2`)?.map(([name]) => name),
    ['/run/a:1', '/run/b:2'],
  );
  assert.deepEqual(
    hostsOf(`${sockets}&port=1`)?.map(([name]) => name),
    ['/run/a:1', '/run/b:1'],
  );
  assert.deepEqual(
    hostsOf(sockets)?.map(([name]) => name),
    ['/run/a:5432', '/run/b:5432'],
  );
});

test('a URL is refused if a host is missing or not valid, or if it asks for a server without writes', () => {
  for (const url of [
    'postgresql://u@a,,b/d',
    'postgresql://u@a:x,b/d',
    'postgresql:///d?host=a,&port=1',
    'postgresql:///d?host=a,b&port=1,2,3',
    'postgresql://a/d?port=1,2',
    'postgresql://a,b/d?target_session_attrs=standby',
    'postgresql://a/d?target_session_attrs=prefer-standby',
    'mysql://a,b/d',
    '',
  ])
    assert.equal(databaseHosts(url), undefined, url);
});
