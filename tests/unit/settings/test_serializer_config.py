"""SerializerConfig: registrations for Flink's Java serializers."""

from __future__ import annotations

import pytest

from pystream.common.configuration import Configuration
from pystream.errors import ConfigurationError
from pystream.settings.serializer_config import SerializerConfig


def test_registrations_are_read_back() -> None:
    config = SerializerConfig()
    config.add_default_kryo_serializer("com.A", "com.SA").add_default_kryo_serializer("com.B", "com.SB")
    config.register_type_with_kryo_serializer("com.A", "com.RA")
    config.register_pojo_type("com.P").register_pojo_type("com.Q")
    config.register_kryo_type("com.K")
    assert config.get_default_kryo_serializer_classes() == {"com.A": "com.SA", "com.B": "com.SB"}
    assert config.get_registered_types_with_kryo_serializer_classes() == {"com.A": "com.RA"}
    assert config.get_registered_pojo_types() == ["com.P", "com.Q"]
    assert config.get_registered_kryo_types() == ["com.K"]


def test_nothing_is_registered_at_first() -> None:
    config = SerializerConfig()
    assert config.get_default_kryo_serializer_classes() == {}
    assert config.get_registered_types_with_kryo_serializer_classes() == {}
    assert config.get_registered_pojo_types() == []
    assert config.get_registered_kryo_types() == []


def test_the_same_registration_replaces_the_earlier_one() -> None:
    config = SerializerConfig()
    config.add_default_kryo_serializer("com.A", "com.Old").add_default_kryo_serializer("com.A", "com.New")
    config.register_pojo_type("com.P").register_pojo_type("com.P")
    assert config.get_default_kryo_serializer_classes() == {"com.A": "com.New"}
    assert config.get_registered_pojo_types() == ["com.P"]


def test_registrations_have_flinks_text() -> None:
    written = Configuration()
    SerializerConfig(written).register_pojo_type("com.P").register_type_with_kryo_serializer("com.A", "com.S")
    assert Configuration.parse_list_value(written.to_dict()["pipeline.serialization-config"]) == [
        "{com.P: {type: pojo}}",
        "{com.A: {type: kryo, kryo-type: registered, class: com.S}}",
    ]
    read = Configuration.from_dict(
        {"pipeline.serialization-config": "[com.P: {type: pojo}, com.K: {type: kryo}]"}
    )
    assert SerializerConfig(read).get_registered_pojo_types() == ["com.P"]
    assert SerializerConfig(read).get_registered_kryo_types() == ["com.K"]


@pytest.mark.parametrize("bad", ["", None, 5])
def test_class_names_are_text(bad: object) -> None:
    config = SerializerConfig()
    with pytest.raises(ConfigurationError, match=r"not a Java class name|takes a str"):
        config.register_pojo_type(bad)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"not a Java class name|takes a str"):
        config.add_default_kryo_serializer("com.A", bad)  # type: ignore[arg-type]
    assert config == SerializerConfig()


@pytest.mark.parametrize("text", ["garbage", "[com.P: pojo]", "[com.A: {type: kryo, kryo-type: default}]"])
def test_malformed_registrations_are_refused_when_read(text: str) -> None:
    read = Configuration.from_dict({"pipeline.serialization-config": text})
    with pytest.raises(ConfigurationError, match=r"^pipeline\.serialization-config: "):
        SerializerConfig(read).get_default_kryo_serializer_classes()
