import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import { Histogram } from './histogram.ts';

test('a quantile is within one percent of the sorted values', () => {
  const latencies = fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.9, 0.99, 1), (values, q) => {
      const histogram = new Histogram();
      for (const value of values) histogram.record(value);
      const exact = values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(q * values.length)) - 1] ?? Number.NaN;
      const estimate = histogram.quantile(q);
      assert.ok(Math.abs(estimate - exact) <= exact * 0.01, `${estimate} for ${exact}`);
      assert.equal(histogram.count, values.length);
      assert.equal(histogram.largest, Math.max(...values));
    }),
  );
});

test('a quantile needs records', () => {
  assert.ok(Number.isNaN(new Histogram().quantile(0.5)));
});
