"""Runs the script for Spark once for each line on standard input: its arguments, a list of JSON.

    spark_driver.py MASTER SCRIPT PROGRAM

After each run it prints `ended with CODE`. The program is shipped to the workers.
"""

import importlib
import json
import pathlib
import sys
import traceback

from pyspark.sql import SparkSession

master, script, program = sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(script).parent))
module = importlib.import_module(pathlib.Path(script).stem)
spark = SparkSession.builder.master(master).appName("firstmile").getOrCreate()
# Functions of a module are sent by name, those of a script by value.
spark.sparkContext.addPyFile(script)
spark.sparkContext.addFile(program)
for line in sys.stdin:
    try:
        code = module.finished(spark, module.parsed(json.loads(line)))
    except Exception:
        traceback.print_exc()
        code = 1
    spark.catalog.clearCache()
    sys.stderr.flush()
    print(f"ended with {code}", flush=True)
spark.stop()
